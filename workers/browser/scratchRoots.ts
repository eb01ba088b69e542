import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from '../../src/platform/logger.ts'
import { accountFor, usualScratchDir } from './launch.ts'
import { barrierTo } from './scratch.ts'

/** Where the browsers of a process keep their folders, and where else earlier ones may have left some. */
export interface ScratchRoots {
  readonly scratchDir: string
  readonly otherScratchDirs: readonly string[]
}

/** Chooses a folder of the data folder; where the user of the browsers cannot get there, one in the temp folder of the machine. */
export async function chooseScratchRoots(dataDir: string, noSandbox: boolean, log: Logger): Promise<ScratchRoots> {
  const own = join(dataDir, 'browsers')
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const barrier = accountFor(!noSandbox) ? await barrierTo(dataDir) : null
  if (barrier === null) return { scratchDir: own, otherScratchDirs: [usualScratchDir] }
  const reason = `${barrier} is closed to other users`
  log.info({ path: usualScratchDir, reason }, 'browsers run as a user that cannot get into DATA_DIR, so they keep their folders elsewhere')
  return { scratchDir: usualScratchDir, otherScratchDirs: [own] }
}
