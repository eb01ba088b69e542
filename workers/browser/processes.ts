import { readdir, readFile, readlink } from 'node:fs/promises'

/** What the system tells of a process. */
export interface ProcessFacts {
  readonly pid: number
  /** Its process group. */
  readonly group: number
  /** When it started, in ticks since boot: with the pid, this names a process for ever. */
  readonly start: string
  /** Memory that it shares with no other process. */
  readonly ownBytes: number
}

const pageBytes = 4096

/** The facts of a process that lives; null where it is gone, or where the system has no such files. */
export async function readProcess(pid: number | 'self'): Promise<ProcessFacts | null> {
  try {
    const [stat, memory] = await Promise.all([readFile(`/proc/${pid}/stat`, 'utf8'), readFile(`/proc/${pid}/statm`, 'utf8')])
    // The name, in brackets, may itself hold brackets and spaces; the state comes right after it.
    const [state, , group, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z' || state === 'X') return null
    const [, resident = 0, shared = 0] = memory.split(' ').map(Number)
    return { pid: Number.parseInt(stat, 10), group: Number(group), start: rest[16] ?? '', ownBytes: (resident - shared) * pageBytes }
  } catch {
    return null
  }
}

/** Every living process. */
export async function listProcesses(): Promise<ProcessFacts[]> {
  const names = await readdir('/proc').catch(() => [])
  const facts = await Promise.all(names.filter((name) => /^\d+$/.test(name)).map((name) => readProcess(Number(name))))
  return facts.filter((process) => process !== null)
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
