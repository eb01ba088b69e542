import { pause } from '../platform/clock.ts'
import { readEnv, SettingsError } from '../platform/env.ts'
import { openLogger, redact, type Logger } from '../platform/logger.ts'
import { isUnavailable } from '../platform/prisma/failures.ts'
import type { Redis } from '../platform/redis.ts'
import { UnsealError } from '../platform/secretBox.ts'
import { Shutdown } from '../platform/shutdown.ts'
import { openTracing } from '../platform/tracing.ts'
import type { House } from './house.ts'
import { openHouse } from './openHouse.ts'

/** Exit code that tells the runner not to start the process again: its settings must be mended first. */
const badSettings = 78

/** The life of a process of any type: settings, log, house, work, and an orderly end. */
export async function runProcess(
  name: string,
  openRedis: (url: string, log: Logger) => Redis,
  serve: (house: House, shutdown: Shutdown) => Promise<void>,
): Promise<void> {
  let shutdown: Shutdown | undefined
  try {
    const env = readEnv()
    const log = openLogger(env.logLevel, name)
    logCrashes(log)
    shutdown = new Shutdown(log)
    shutdown.listen()
    shutdown.onShutdown('spans', await openTracing(env, name, log))
    const house = openHouse(env, log, shutdown, openRedis)
    await serve(house, shutdown)
    await whenReachable(house, () => house.vault.pepper())
  } catch (error) {
    // What fails after the end has begun fails because of it, and the end takes its course.
    if (shutdown?.begun) return
    process.stderr.write(`${startFailure(error)}\n`)
    process.exit(error instanceof SettingsError || error instanceof UnsealError ? badSettings : 1)
  }
}

/** A fault that nobody caught ends the process as it would by itself, but with a line of the log in place of a raw text that may hold secrets. */
function logCrashes(log: Logger): void {
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'a fault that nobody caught ends the process')
    process.exit(1)
  })
}

/** Does what needs the database as soon as it is there: any start order works. A wrong master key is not waited for. */
export async function whenReachable<Result>(house: House, work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isUnavailable(error)) throw error
      house.log.warn({ err: error }, 'waiting for the database')
      await pause(1_000)
    }
  }
}

function startFailure(error: unknown): string {
  if (error instanceof SettingsError) return `The settings are not right:\n${error.message}`
  if (error instanceof UnsealError) {
    return 'MASTER_KEY does not open what this database holds. Set the key that it was made with, or list that one in MASTER_KEY_PREVIOUS.'
  }
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'EADDRINUSE') return `The port is in use (${message}): end the process that listens there, or set PORT to another one.`
  if (code === 'EACCES') return `The port may not be opened by this user (${message}): set PORT to one above 1023.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `HOST is no address of this machine (${message}): set it to one, such as 127.0.0.1, or 0.0.0.0 for all.`
  }
  return `Could not start: ${redact(message)}`
}
