import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findBinary } from '../../workers/browser/binary.ts'
import { makeScratchDir } from './browserPool.ts'

/** A program that is the real browser while a file lies beside it, and fails at once while none does; it begins broken. */
export interface MoodyBrowser {
  readonly path: string
  mend(): Promise<void>
  spoil(): Promise<void>
}

/** Makes such a program; it is gone when the test ends. */
export async function makeMoodyBrowser(): Promise<MoodyBrowser> {
  const folder = await makeScratchDir()
  await mkdir(folder)
  const [path, mood] = [join(folder, 'headless-shell'), join(folder, 'mended')]
  const { path: real } = await findBinary(undefined)
  await writeFile(path, `#!/bin/sh\n[ -f "${mood}" ] || exit 3\nexec ${real} "$@"\n`, { mode: 0o755 })
  return { path, mend: () => writeFile(mood, ''), spoil: () => rm(mood) }
}
