import { readdirSync, readFileSync } from 'node:fs'
import { readFile, readlink } from 'node:fs/promises'

/** What the system tells of a process. */
export interface ProcessFacts {
  readonly pid: number
  /** Its process group. */
  readonly group: number
  /** When it started, in ticks since boot: with the pid, this names a process for ever. */
  readonly start: string
}

const pageBytes = 4096

/*
 * These files are read in place: the kernel answers from memory, at once, and a way through the thread pool costs more than the read. All
 * of them are read every few seconds, however idle a worker is.
 */

/** The facts of a process that lives; null where it is gone, or where the system has no such files. */
export function readProcess(pid: number): ProcessFacts | null {
  const stat = readNow(`/proc/${pid}/stat`)
  // The name, in brackets, may itself hold brackets and spaces; the state comes right after it.
  const [state = '', , group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (state === '' || state === 'Z' || state === 'X') return null
  return { pid, group: Number(group), start: rest[16] ?? '' }
}

/** Every living process. */
export function listProcesses(): ProcessFacts[] {
  const facts: ProcessFacts[] = []
  for (const name of namesIn('/proc')) {
    const process = /^\d+$/.test(name) ? readProcess(Number(name)) : null
    if (process) facts.push(process)
  }
  return facts
}

/** The memory that a process shares with no other; 0 where it is gone. */
export function readOwnBytes(pid: number): number {
  const [, resident = 0, shared = 0] = readNow(`/proc/${pid}/statm`).split(' ').map(Number)
  return (resident - shared) * pageBytes
}

function readNow(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** The arguments of a process, of which a browser's child writes all into the first one; none where it is gone. */
export async function readArguments(pid: number): Promise<string[]> {
  const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return text.split('\0').filter((word) => word !== '')
}

/** The name of the space in which this process's pids mean something; containers have one each. */
export async function readPidSpace(): Promise<string> {
  const link = await readlink('/proc/self/ns/pid').catch(() => '')
  return /\d+/.exec(link)?.[0] ?? '0'
}

/** Ends a whole process group at once; false where there is none. */
export function killGroup(group: number): boolean {
  if (group <= 1) return false
  try {
    return process.kill(-group, 'SIGKILL')
  } catch {
    return false
  }
}
