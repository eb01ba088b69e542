import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { inject, onTestFinished } from 'vitest'
import { pause } from '../../src/platform/clock.ts'
import { randomText } from '../../src/platform/ids.ts'

/** A process of the built code, as a line of the Procfile starts it; gone when its test ends. */
export interface BuiltProcess {
  /** What it has written to standard output, line by line. */
  readonly lines: readonly string[]
  /** What it has written to standard error, line by line. */
  readonly errorLines: readonly string[]
  /** Its process id; undefined where it could not be started. */
  readonly pid: number | undefined
  /** Its exit code, or the name of the signal that ended it. */
  readonly exited: Promise<number | string>
  /** Waits until it has written a line that holds this text. */
  says(text: string): Promise<void>
  signal(name: NodeJS.Signals): void
}

/** The settings of a process of the tests: the run's Redis under a prefix of its own, and this database. */
export function processSettings(databaseUrl: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    REDIS_URL: inject('redisUrl'),
    REDIS_PREFIX: `t${randomText(6)}`,
    MASTER_KEY: randomText(32),
    DATABASE_POOL: '3',
  }
}

/** Starts a script of dist/, with these settings and no others. */
export function startBuilt(script: string, settings: Readonly<Record<string, string>>): BuiltProcess {
  const path = resolve('dist', script)
  if (!existsSync(path)) throw new Error(`${path} is not built: run \`npx tsc -p ops/tsconfig.build.json\`, or the tests by \`npm test\``)
  const child = spawn(process.execPath, [path], { env: { ...settings }, stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  const errorLines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  createInterface({ input: child.stderr }).on('line', (line) => errorLines.push(line))
  // `close` comes after `exit` and after the last line.
  const exited = once(child, 'close').then(([code, signal]: unknown[]) => (code ?? signal) as number | string)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const said = (): string[] => [...lines, ...errorLines]
  const says = async (text: string): Promise<void> => {
    while (!said().some((line) => line.includes(text))) {
      if (child.exitCode !== null) throw new Error(`${script} ended before it said ${JSON.stringify(text)}:\n${said().join('\n')}`)
      await pause(20)
    }
  }
  return { lines, errorLines, pid: child.pid, exited, says, signal: (name) => void child.kill(name) }
}
