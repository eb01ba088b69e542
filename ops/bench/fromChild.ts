import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** What a part of a benchmark measures in a process of its own, whose memory and event loop are its own; it writes one JSON value. */
export async function fromChild<Result>(part: string, args: readonly string[], flags: readonly string[] = []): Promise<Result> {
  const { stdout } = await run(process.execPath, [...flags, `dist/ops/bench/${part}.js`, ...args])
  return JSON.parse(stdout) as Result // the part writes what its caller expects
}
