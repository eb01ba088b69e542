import { readPidSpace, readProcess } from './processes.ts'

/** The argument by which a browser tells whose it is; Chromium passes over arguments that it does not know. */
export const markArgument = '--quern-owner='

/** Names this process for ever: `space.pid.start`. */
export async function ownMark(): Promise<string> {
  return `${await readPidSpace()}.${process.pid}.${readProcess(process.pid)?.start ?? '0'}`
}

/** Whether the process that a mark names is gone; one of another pid space cannot be known, and counts as there. */
export async function isOwnerGone(mark: string): Promise<boolean> {
  const match = /^(\d+)\.(\d+)\.(\d+)$/.exec(mark)
  if (!match || match[1] !== (await readPidSpace())) return false
  if (match[3] === '0') return !isAlive(Number(match[2]))
  return readProcess(Number(match[2]))?.start !== match[3]
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // kill throws nothing but system errors
  }
}
