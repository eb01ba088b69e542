import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { PostgresPrograms } from './postgresPrograms.ts'
import type { ServerUser } from './serverUser.ts'
import { StartError } from './startError.ts'

/** A PostgreSQL data folder to be, and what is needed to make it. */
export interface ClusterPlan {
  readonly programs: PostgresPrograms
  readonly user: ServerUser
  readonly data: string
  readonly password: string
}

/** Makes the data folder with the role and database `quern`, where there is none; an interrupted attempt leaves nothing that counts. */
export async function ensureCluster({ programs, user, data, password }: ClusterPlan): Promise<void> {
  if (await exists(join(data, 'PG_VERSION'))) return
  const draft = `${data}.draft`
  await rm(draft, { recursive: true, force: true })
  // The superuser gets no password, so nobody can log in as it: the service needs its own role only.
  const access = ['--username=postgres', '--auth-local=reject', '--auth-host=scram-sha-256']
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']
  await runTool(user, programs.initdb, ['-D', draft, ...access, ...locale], '')
  const statements = [`CREATE ROLE quern LOGIN CREATEDB PASSWORD '${password}'`, 'CREATE DATABASE quern OWNER quern']
  await runTool(user, programs.postgres, ['--single', '-D', draft, 'postgres'], statements.map((statement) => `${statement}\n`).join(''))
  await rename(draft, data)
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(() => true, () => false)
}

async function runTool(user: ServerUser, program: string, args: readonly string[], input: string): Promise<void> {
  const { command, args: words, options } = user.wrap(program, args)
  const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  const child = spawn(command, words, { ...options, cwd: '/', env, stdio: ['pipe', 'ignore', 'pipe'] })
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaints += chunk))
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  // The single-user server reports a failed statement in its output only.
  if (code === 0 && !/(ERROR|FATAL):/.test(complaints)) return
  const shown = complaints.replaceAll(/PASSWORD '[^']*'/g, "PASSWORD '***'").trim()
  throw new StartError(
    `The private PostgreSQL could not be made: ${program} ended with ${code}.\n` +
      `${shown}\n` +
      'Mend what it names, choose another folder with DATA_DIR, or set DATABASE_URL to a PostgreSQL that runs elsewhere.',
  )
}
