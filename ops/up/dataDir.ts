import { randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { reasonOf, StartError } from './startError.ts'

/** Makes a folder that only its owner can look into; one that others can read is closed to them. */
export async function preparePrivateDir(dir: string): Promise<void> {
  await inDataDir(dir, async () => {
    await makeDir(dir)
    const { mode } = await stat(dir)
    // Passage without a list of names is what a server under its own user was given (serverUser.ts), or browsers by whoever runs this.
    if ((mode & 0o066) !== 0) await chmod(dir, 0o700)
  })
}

/** Does something in a data folder; what the file system refuses becomes a message that says how to go on. */
export async function inDataDir<Result>(dir: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error
    const isForeign = error.code === 'EACCES' || error.code === 'EPERM'
    const remedy = isForeign ? `Give it to this user (\`chown -R "$(id -un)" ${dir}\`)` : 'Mend that'
    throw new StartError(`The data folder ${dir} cannot be used: ${reasonOf(error)}.\n${remedy}, or choose another one with DATA_DIR.`)
  }
}

/** Makes a folder and those above it. Node's own way of doing so never ends where a folder cannot be made at all, as in /proc. */
async function makeDir(dir: string): Promise<void> {
  const make = (): Promise<void> => mkdir(dir, { mode: 0o700 })
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST' && (await stat(dir)).isDirectory()) return
    if (error.code !== 'ENOENT') throw error
    await makeDir(dirname(dir))
    await make()
  })
}

/** The secret kept in a file that only its owner can read; made at the first call. */
export async function readOrMakeSecret(path: string, bytes: number): Promise<string> {
  const kept = await readSecret(path)
  if (kept !== null) return kept
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.draft`
  await writeFile(draft, `${randomBytes(bytes).toString('base64url')}\n`, { mode: 0o600, flush: true })
  try {
    // A link fails where another process was faster, and never shows a half-written secret.
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  const made = await readSecret(path)
  if (made === null) throw new StartError(
    `The secret in ${path} could not be kept. Check that the disk is not full and that this user may write there.`,
  )
  return made
}

async function readSecret(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw new StartError(
      `The secret in ${path} cannot be read: ${error.message}. Give the file to this user, or choose another folder with ` +
        'DATA_DIR.',
    )
  })
  if (text === null) return null
  if (text.trim() === '') throw new StartError(
    `The secret in ${path} is empty. Restore the file; without it, what it protects cannot be opened.`,
  )
  await chmod(path, 0o600)
  return text.trim()
}
