import { randomUUID } from 'node:crypto'
import { mkdirSync, openSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Scratch } from '../../src/query/scratch.ts'
import { DiskAccount, diskFailure, DiskRun } from './diskRun.ts'

const defaultDiskBytes = 16 * 2 ** 30

/** Room on disk that is given back when it is closed. */
export interface OpenScratch extends Scratch {
  close(): Promise<void>
}

/** Opens room on disk for the stages of one pass; it makes no file before it is needed. */
export function openScratch(dir: string, memoryBytes: number, diskBytes = defaultDiskBytes): OpenScratch {
  const account = new DiskAccount(diskBytes)
  const runs = new Set<DiskRun<unknown>>()
  return {
    memoryBytes,
    open<Item>() {
      const run = new DiskRun<Item>(openUnnamed(dir), account)
      runs.add(run)
      return Promise.resolve(run)
    },
    async close() {
      for (const run of runs) await run.drop()
      runs.clear()
    },
  }
}

/** A file without a name: its room is free again when the process ends, however it ends. */
function openUnnamed(dir: string): number {
  try {
    mkdirSync(dir, { recursive: true })
    const path = join(dir, `scratch-${process.pid}-${randomUUID()}`)
    const file = openSync(path, 'wx+', 0o600)
    unlinkSync(path)
    return file
  } catch (error) {
    throw diskFailure(error)
  }
}
