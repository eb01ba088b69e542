import { execFile, type SpawnOptions } from 'node:child_process'
import { chmod, chown, lstat, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from './startError.ts'

const execute = promisify(execFile)

/** Under whom a private server runs. PostgreSQL refuses to run as root, so root needs somebody else, or to look like somebody else. */
export interface ServerUser {
  readonly kind: 'self' | 'user' | 'namespace'
  /** Whom the server's files must belong to, as seen from here; null keeps them as they are. */
  readonly owner: Ids | null
  /** The program and arguments that run a command as this user. */
  wrap(command: string, args: readonly string[]): { command: string; args: string[]; options: Pick<SpawnOptions, 'uid' | 'gid'> }
}

interface Ids {
  readonly uid: number
  readonly gid: number
}

const self: ServerUser = { kind: 'self', owner: null, wrap: (command, args) => ({ command, args: [...args], options: {} }) }

const asUser = (ids: Ids): ServerUser => ({ kind: 'user', owner: ids, wrap: (command, args) => ({ command, args: [...args], options: ids }) })

/** Ourselves, seen as another user: outside the namespace we still own our files, so any folder of ours works. */
const inNamespace = (seen: Ids, owner: Ids | null): ServerUser => ({
  kind: 'namespace',
  owner,
  wrap: (command, args) => ({
    command: 'unshare',
    args: ['--user', `--map-user=${seen.uid}`, `--map-group=${seen.gid}`, '--', command, ...args],
    options: {},
  }),
})

/** Finds a user that can run this program on this folder, and gives the folder to it. The first that works, best first. */
export async function chooseServerUser(program: string, dir: string): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return chooseUnprivileged(program, dir)
  for (const candidate of [findPostgres, findNamespace, createPostgres, findNobody]) {
    const user = await candidate()
    if (user && (await canServe(user, program, dir))) {
      await giveFolder(dir, user)
      return user
    }
  }
  throw new StartError(
    `PostgreSQL does not run as root, and no other user can reach both ${program} and ${dir};\n` +
      'user namespaces are not allowed here either.\n' +
      'Run the command as an ordinary user, move the checkout to a folder that others may enter (such as /opt), or set ' +
        'DATABASE_URL and REDIS_URL to servers that run elsewhere.',
  )
}

/** Ourselves; where our id has no name, as in some containers, seen as somebody with one, because initdb insists on a name. */
async function chooseUnprivileged(program: string, dir: string): Promise<ServerUser> {
  const isNamed = await execute('id', ['-un']).then(() => true, () => false)
  const seen = isNamed || process.platform !== 'linux' ? null : await lookUp('nobody')
  const disguised = seen && inNamespace(seen, null)
  return disguised && (await canServe(disguised, program, dir)) ? disguised : self
}

async function findPostgres(): Promise<ServerUser | null> {
  const ids = await lookUp('postgres')
  return ids && asUser(ids)
}

async function findNamespace(): Promise<ServerUser | null> {
  // initdb looks its user up by name, so the one that it sees must exist.
  const seen = (await lookUp('postgres')) ?? (await lookUp('nobody'))
  return process.platform === 'linux' && seen ? inNamespace(seen, { uid: 0, gid: 0 }) : null
}

let creation: Promise<ServerUser | null> | undefined

/** Only where namespaces are refused, because a new user is a change outside the checkout; once, for all servers. */
function createPostgres(): Promise<ServerUser | null> {
  creation ??= addPostgres()
  return creation
}

async function addPostgres(): Promise<ServerUser | null> {
  const commands = [
    ['useradd', '--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/usr/sbin/nologin', 'postgres'],
    ['adduser', '-S', '-D', '-H', '-s', '/sbin/nologin', 'postgres'],
  ] as const
  for (const [command, ...args] of commands) {
    const created = await execute(command, args).then(() => true, () => false)
    if (created) return findPostgres()
  }
  return null
}

/** The last choice, because others may run as nobody too. */
async function findNobody(): Promise<ServerUser | null> {
  const ids = await lookUp('nobody')
  return ids && asUser(ids)
}

async function lookUp(name: string): Promise<Ids | null> {
  try {
    const [uid, gid] = await Promise.all([execute('id', ['-u', name]), execute('id', ['-g', name])])
    const ids = { uid: Number(uid.stdout), gid: Number(gid.stdout) }
    return ids.uid > 0 && ids.gid > 0 ? ids : null
  } catch {
    return null
  }
}

async function canServe(user: ServerUser, program: string, dir: string): Promise<boolean> {
  if (user.owner) await chown(dir, user.owner.uid, user.owner.gid)
  if (user.kind === 'user' && user.owner) await grantPassage(dirname(dir), user.owner.gid)
  const { command, args, options } = user.wrap('/bin/sh', ['-c', 'test -x "$1" && test -r "$1" && cd "$2" && test -w .', 'sh', program, dir])
  return execute(command, args, { ...options, cwd: '/' }).then(() => true, () => false)
}

/** Lets the server's group pass through a folder that is otherwise closed; it still cannot list what is in it. */
async function grantPassage(parent: string, gid: number): Promise<void> {
  const { uid, mode } = await stat(parent)
  if (uid !== 0 || (mode & 0o001) !== 0) return
  await chown(parent, uid, gid)
  await chmod(parent, (mode & 0o700) | 0o010)
}

/** Earlier starts may have run under another user; the files follow the one that was chosen now. */
async function giveFolder(dir: string, { owner }: ServerUser): Promise<void> {
  if (!owner) return
  const names = await readdir(dir)
  const owners = await Promise.all(names.map(async (name) => (await lstat(join(dir, name))).uid))
  if (owners.every((uid) => uid === owner.uid)) return
  await execute('chown', ['-R', '-h', `${owner.uid}:${owner.gid}`, dir])
}
