import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspectProcess } from './processTable.ts'
import { StartError } from './startError.ts'

interface Holder {
  readonly pid: number
  readonly began: string
}

/** Takes a data folder for this process alone, or throws who has it; gives the function that releases it. */
export async function lockDataDir(dir: string): Promise<() => Promise<void>> {
  const path = join(dir, 'runner.lock')
  const draft = `${path}.${process.pid}`
  const own: Holder = { pid: process.pid, began: (await inspectProcess(process.pid))?.began ?? '' }
  await writeFile(draft, JSON.stringify(own), { mode: 0o600 })
  try {
    while (!(await tryLink(draft, path))) await clearStale(path, dir)
  } finally {
    await rm(draft, { force: true })
  }
  return async () => {
    if ((await readHolder(path))?.pid === process.pid) await rm(path, { force: true })
  }
}

async function tryLink(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function clearStale(path: string, dir: string): Promise<void> {
  await refuseLivingHolder(path, dir)
  const aside = `${path}.${process.pid}.stale`
  await rename(path, aside).catch(() => undefined)
  try {
    // Another start may have replaced the stale lock by its own between the look and the rename; then that one goes back.
    await refuseLivingHolder(aside, dir)
  } catch (error) {
    await tryLink(aside, path)
    throw error
  } finally {
    await rm(aside, { force: true })
  }
}

async function refuseLivingHolder(path: string, dir: string): Promise<void> {
  const holder = await readHolder(path)
  if (!holder || holder.pid === process.pid) return
  const facts = await inspectProcess(holder.pid)
  if (!facts || facts.began !== holder.began) return
  throw new StartError(
    `Quern already runs in ${dir} (process ${holder.pid}).\n` +
      `Stop that one first (\`kill ${holder.pid}\`), or start this one with another DATA_DIR and PORT.`,
  )
}

async function readHolder(path: string): Promise<Holder | null> {
  try {
    // The file is ours; a damaged one fails to parse or names no living process, and counts as stale.
    return JSON.parse(await readFile(path, 'utf8')) as Holder
  } catch {
    return null
  }
}
