import { totalmem } from 'node:os'
import type { EgressGuard } from '../../src/platform/egress/guard.ts'
import type { Logger } from '../../src/platform/logger.ts'
import type { RecycleBounds } from './keeper.ts'
import type { LaunchOptions } from './launch.ts'

/** How a pool works. */
export interface PoolOptions extends Omit<LaunchOptions, 'whole'> {
  readonly guard: EgressGuard
  readonly log: Logger
  /** Jobs at once. */
  readonly concurrency: number
  /** Browsers that share them; one for every eight jobs. */
  readonly browsers?: number
  /** Contexts that each browser keeps ready. */
  readonly spares?: number
  readonly recycle?: Partial<RecycleBounds>
  /** How long a job waits for a browser that does not start. */
  readonly patienceMs?: number
  readonly sweepEveryMs?: number
  /** Where else earlier browsers may have left folders. */
  readonly otherScratchDirs?: readonly string[]
  readonly inspectEveryMs?: number
  readonly connectTimeoutMs?: number
  /** Called before each connection of a job; what it throws refuses it. */
  readonly onConnect?: (token: string, host: string, port: number) => void | Promise<void>
}

/** When browsers are replaced unless told otherwise. */
export const usualRecycle: RecycleBounds = { jobs: 1_000, minutes: 60, memoryBytes: Math.min(2 * 2 ** 30, totalmem() / 2) }

/** What a tab asks for and never touches: it counts against the bound of its process, and is no memory. */
export const untouchedBytes = 2 ** 30
