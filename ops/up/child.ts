import { spawn, type ChildProcess } from 'node:child_process'
import cluster from 'node:cluster'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pause } from '../../src/platform/clock.ts'
import type { ProcessKind } from './procfile.ts'
import { signalProcess } from './processTable.ts'
import type { Ending, Running } from './supervise.ts'

/** What every child process is given. */
export interface ChildSetting {
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  readonly onLine: (text: string) => void
}

/** The exit code (EX_CONFIG) by which a process says that starting it again would not help. */
export const badConfigurationCode = 78

const drainBoundMs = 30_000

/**
 * Starts one process of a Procfile line. All get a channel to us that closes when we are gone, which is their sign to end.
 * API processes share their port, which on Node 20 takes a cluster; the others are in a session of their own, where a Ctrl-C of
 * the terminal does not reach them.
 */
export function startChild(kind: ProcessKind, setting: ChildSetting): Running {
  const script = kind.name === 'api' ? /^node\s+((?:-\S+\s+)*)([^\s-]\S*)((?:\s+\S+)*)$/.exec(kind.command) : null
  const child = script ? forkSharingPort(script, setting) : spawnDetached(kind.command, setting)
  return watch(child, script === null, setting.onLine)
}

function forkSharingPort([, flags = '', file = '', args = '']: RegExpExecArray, { root, env }: ChildSetting): ChildProcess {
  const words = (text: string): string[] => text.split(/\s+/).filter(Boolean)
  // Each process takes connections from the one listening socket by itself; the other policy would pass them all through us.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ exec: join(root, file), args: words(args), execArgv: words(flags), cwd: root, silent: true })
  return cluster.fork(env).process
}

function spawnDetached(command: string, { root, env }: ChildSetting): ChildProcess {
  return spawn('/bin/sh', ['-c', `exec ${command}`], { cwd: root, env, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
}

function watch(child: ChildProcess, leadsGroup: boolean, onLine: (text: string) => void): Running {
  for (const stream of [child.stdout, child.stderr]) if (stream) createInterface({ input: stream, crlfDelay: Infinity }).on('line', onLine)
  // A channel that breaks because the child is going is told by its exit.
  child.on('error', () => undefined)
  const pid = child.pid
  if (pid === undefined) return notStarted(child)
  const exited = awaitEnd(child)
  const signal = (name: NodeJS.Signals): void => {
    if (child.exitCode === null && child.signalCode === null) signalProcess(name === 'SIGKILL' && leadsGroup ? -pid : pid, name)
  }
  const kill = async (): Promise<void> => {
    signal('SIGKILL')
    await exited
  }
  const stop = async (): Promise<void> => {
    signal('SIGTERM')
    const drained = new AbortController()
    void exited.then(() => drained.abort())
    await pause(drainBoundMs, drained.signal)
    await kill()
  }
  return { pid, exited, stop, kill }
}

async function awaitEnd(child: ChildProcess): Promise<Ending> {
  const closed = once(child, 'close')
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  // Its last words may still be in the pipe; a grandchild that holds the pipe open must not keep us waiting.
  await Promise.race([closed, pause(300)])
  return { code, words: signal ? `was ended by ${signal}` : `ended with ${code}` }
}

function notStarted(child: ChildProcess): Running {
  const exited = once(child, 'error').then(
    ([error]: unknown[]) => ({ code: null, words: `could not start: ${String(error)}` }),
    (error: unknown) => ({ code: null, words: `could not start: ${String(error)}` }),
  )
  return { pid: 0, exited, stop: async () => undefined, kill: async () => undefined }
}
