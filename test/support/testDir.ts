import { mkdtemp, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of the test's own, gone when the test ends. */
export async function makeTestDir(): Promise<string> {
  const dir = await mkdtemp(resolve('.data', 'test-dir-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}
