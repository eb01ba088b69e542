import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { pause } from '../../src/platform/clock.ts'

/** A living process, told apart from a later one with the same id by when it began. */
export interface ProcessFacts {
  readonly command: string
  readonly began: string
}

/** What runs under a process id; null when nothing does, a dead process that nobody has collected included. */
export async function inspectProcess(pid: number): Promise<ProcessFacts | null> {
  return process.platform === 'linux' ? inspectByProc(pid) : inspectByPs(pid)
}

async function inspectByProc(pid: number): Promise<ProcessFacts | null> {
  try {
    const [commandLine, stat] = await Promise.all([readFile(`/proc/${pid}/cmdline`, 'utf8'), readFile(`/proc/${pid}/stat`, 'utf8')])
    // The program's name stands in brackets and may hold anything, so fields count from the last bracket: state first, start time 20th.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return null
    return { command: commandLine.replaceAll('\0', ' ').trim(), began: fields[19] ?? '' }
  } catch {
    return null
  }
}

async function inspectByPs(pid: number): Promise<ProcessFacts | null> {
  try {
    const env = { LC_ALL: 'C', PATH: '/bin:/usr/bin' }
    const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=,lstart=,command=', '-p', String(pid)], { env })
    const match = /^\s*(\S+)\s+(\w+ +\w+ +\d+ +[\d:]+ +\d+)\s+(.*)$/m.exec(stdout)
    if (!match || match[1]?.startsWith('Z')) return null
    return { command: match[3] ?? '', began: match[2] ?? '' }
  } catch {
    return null
  }
}

/** Sends a signal to a process that may be gone already. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Ends a process that is not our child: a polite signal first, SIGKILL when that takes too long. */
export async function endProcess(pid: number, signal: NodeJS.Signals, boundMs: number): Promise<void> {
  signalProcess(pid, signal)
  if (await isGoneWithin(pid, boundMs)) return
  signalProcess(pid, 'SIGKILL')
  await isGoneWithin(pid, 5_000)
}

async function isGoneWithin(pid: number, boundMs: number): Promise<boolean> {
  const untilMs = Date.now() + boundMs
  while (Date.now() < untilMs) {
    if ((await inspectProcess(pid)) === null) return true
    await pause(25)
  }
  return false
}
