import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync, closeSync } from 'node:fs'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pause } from '../../src/platform/clock.ts'
import { endProcess, inspectProcess } from './processTable.ts'
import { guardProcess } from './guard.ts'
import type { ServerUser } from './serverUser.ts'
import { StartError } from './startError.ts'

/** How a private server is run and ended. */
export interface ServerPlan {
  readonly name: 'postgres' | 'redis'
  /** Where its log and its record are kept, beside the folder with its data. */
  readonly dir: string
  readonly user: ServerUser
  readonly command: string
  readonly args: readonly string[]
  /** What it reads from its standard input. */
  readonly input?: string
  /** Ends it in order, with its data safe on disk. */
  readonly endSignal: NodeJS.Signals
  /** Ends it at once, without leaving a process of its own behind. */
  readonly killSignal: NodeJS.Signals
}

/** A private server under way. */
export interface ServerProcess {
  readonly pid: number
  readonly exited: Promise<void>
  isRunning(): boolean
  stop(): Promise<void>
  kill(): Promise<void>
}

const endBoundMs = 20_000
const killBoundMs = 3_000
const keptLogBytes = 8 * 2 ** 20

/** Starts a server and waits until a probe finds it ready; one that does not get there is ended. */
export async function launchReady(plan: ServerPlan, probe: () => Promise<boolean>, signal?: AbortSignal): Promise<ServerProcess> {
  const server = await launchServer(plan)
  try {
    await waitUntilReady(plan, server, probe, signal)
    return server
  } catch (error) {
    await server.kill()
    throw error
  }
}

/** The server is a child that a Ctrl-C of the terminal does not reach, and that ends when this process is gone. */
async function launchServer(plan: ServerPlan): Promise<ServerProcess> {
  const child = spawnServer(plan, await prepareLog(plan))
  const exited = once(child, 'exit').then(() => undefined)
  const pid = child.pid
  if (pid === undefined) {
    await exited.catch((error: Error) => {
      throw new StartError(`${plan.command} cannot be started: ${error.message}.`)
    })
    throw new StartError(`${plan.command} cannot be started.`)
  }
  const guard = guardProcess(pid, plan.endSignal)
  const gone = new AbortController()
  void exited.then(() => {
    guard.release()
    gone.abort()
  })
  await keepRecord(plan, pid)
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(plan.input ?? '')
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null
  const end = async (signal: NodeJS.Signals, boundMs: number): Promise<void> => {
    if (isRunning()) child.kill(signal)
    await pause(boundMs, gone.signal)
    if (isRunning()) child.kill('SIGKILL')
    await exited
    await rm(recordPath(plan), { force: true })
  }
  return { pid, exited, isRunning, stop: () => end(plan.endSignal, endBoundMs), kill: () => end(plan.killSignal, killBoundMs) }
}

function spawnServer(plan: ServerPlan, logPath: string): ChildProcess {
  const log = openSync(logPath, 'a', 0o600)
  try {
    const { command, args, options } = plan.user.wrap(plan.command, plan.args)
    // None of our settings: they hold secrets that a server has no use for.
    const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin', LC_ALL: 'C', TZ: 'UTC' }
    return spawn(command, args, { ...options, cwd: '/', env, detached: true, stdio: ['pipe', log, log] })
  } finally {
    closeSync(log)
  }
}

/** Throws with the end of the server's log when it ends before that. */
async function waitUntilReady(
  plan: ServerPlan,
  server: ServerProcess,
  probe: () => Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const untilMs = Date.now() + 120_000
  while (!(await probe())) {
    signal?.throwIfAborted()
    const late = Date.now() > untilMs
    if (server.isRunning() && !late) {
      await pause(20)
      continue
    }
    const what = late ? 'was not ready within two minutes' : 'ended while it started'
    throw new StartError(`The private ${plan.name} ${what}. The end of ${logPath(plan)}:\n${await readLogTail(plan)}`)
  }
}

/** Ends the server that an earlier runner of this folder left behind, if there is one. */
export async function endLeftover(plan: Pick<ServerPlan, 'dir' | 'name' | 'endSignal'>): Promise<void> {
  const record = await readFile(recordPath(plan), 'utf8').catch(() => '')
  const [pid, began] = record.trim().split(' ')
  const facts = pid ? await inspectProcess(Number(pid)) : null
  // The same id with another beginning is somebody else's process by now.
  if (pid && facts && facts.began.replaceAll(' ', '_') === began) await endProcess(Number(pid), plan.endSignal, endBoundMs)
  await rm(recordPath(plan), { force: true })
}

async function keepRecord(plan: ServerPlan, pid: number): Promise<void> {
  const began = (await inspectProcess(pid))?.began.replaceAll(' ', '_') ?? ''
  await writeFile(recordPath(plan), `${pid} ${began}\n`, { mode: 0o600 })
}

async function prepareLog(plan: ServerPlan): Promise<string> {
  const path = logPath(plan)
  const size = await stat(path).then((found) => found.size, () => 0)
  if (size > keptLogBytes) await rename(path, `${path}.old`)
  return path
}

async function readLogTail(plan: ServerPlan): Promise<string> {
  const text = await readFile(logPath(plan), 'utf8').catch(() => '')
  return text.trimEnd().split('\n').slice(-8).map((line) => `    ${line}`).join('\n')
}

const logPath = (plan: Pick<ServerPlan, 'dir' | 'name'>): string => join(plan.dir, `${plan.name}.log`)
const recordPath = (plan: Pick<ServerPlan, 'dir' | 'name'>): string => join(plan.dir, `${plan.name}.pid`)
