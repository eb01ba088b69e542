import { chmod, chown, lstat, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem } from '../../src/platform/errors.ts'

/** The user and group that a browser runs as, where it is not the one of this process. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** The folders of one browser; nothing that it writes lies outside of `dir`. */
export interface Scratch {
  readonly dir: string
  readonly profile: string
  readonly home: string
  readonly temp: string
  /** Notes the process group, so that a sweep finds it when its first process is gone. */
  noteGroup(group: number): Promise<void>
  remove(): Promise<void>
}

/** The file in a browser's folder that holds its process group. */
export const groupFile = 'group'

/** Makes the folders of one browser below `root`; the name begins with the owner's mark. */
export async function makeScratch(root: string, mark: string, account: Account | null): Promise<Scratch> {
  await prepareRoot(root, account)
  const dir = await mkdtemp(join(root, `${mark}-`))
  const folders = { dir, profile: join(dir, 'profile'), home: join(dir, 'home'), temp: join(dir, 'temp') }
  for (const folder of [folders.profile, folders.home, folders.temp]) await mkdir(folder, { mode: 0o700 })
  if (account) for (const folder of Object.values(folders)) await chown(folder, account.uid, account.gid)
  return {
    ...folders,
    noteGroup: (group) => writeFile(join(dir, groupFile), String(group)),
    remove: () => removeFolder(dir),
  }
}

/** Removes a browser's folder; its last processes may still be writing, so a few tries are made. */
export const removeFolder = (dir: string): Promise<void> => rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })

async function prepareRoot(root: string, account: Account | null): Promise<void> {
  // A mask may take bits of the mode away.
  if (await mkdir(root, { recursive: true })) await chmod(root, 0o711)
  const facts = await lstat(root)
  // In a shared folder such as /tmp somebody else may have been here first, and could swap the folders under a browser.
  if (!facts.isDirectory() || facts.uid !== process.getuid?.()) {
    throw new Problem('unavailable', `${root} belongs to another user. Remove it, or choose another folder for browsers.`)
  }
  const barrier = account && (await barrierTo(root))
  if (barrier) throw new Problem('unavailable', `The user of the browsers cannot pass through ${barrier}. Allow it with chmod o+x, or choose another folder.`)
}

/** The first folder on the way up that an unprivileged user cannot pass through; null where the way is open. */
export async function barrierTo(root: string): Promise<string | null> {
  for (let folder = await realpath(root); ; folder = dirname(folder)) {
    if (((await lstat(folder)).mode & 0o001) === 0) return folder
    if (folder === dirname(folder)) return null
  }
}
