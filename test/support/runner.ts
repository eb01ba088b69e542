import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { pause } from '../../src/platform/clock.ts'

/** `npm start` as a process of its own, without npm around it; gone when its test ends. */
export interface StartedRunner {
  readonly exited: Promise<number | string>
  /** All that it has written so far. */
  output(): string
  says(text: string): Promise<void>
  signal(name: NodeJS.Signals): void
}

/** Starts everything with these settings and no others. */
export function startRunner(settings: Readonly<Record<string, string>>, args: readonly string[] = []): StartedRunner {
  const { PATH, HOME } = process.env // oxlint-disable-line no-restricted-properties -- the start looks for programs there
  const child = spawn(process.execPath, ['ops/start.mjs', ...args], { env: { PATH, HOME, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  child.stdout.on('data', (part) => (text += String(part)))
  child.stderr.on('data', (part) => (text += String(part)))
  const exited = once(child, 'close').then(([code, signal]: unknown[]) => (code ?? signal) as number | string)
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await exited
  })
  return {
    exited,
    output: () => text,
    signal: (name) => void child.kill(name),
    async says(words) {
      while (!text.includes(words)) {
        if (child.exitCode !== null) throw new Error(`the start ended with ${child.exitCode} before it said ${JSON.stringify(words)}:\n${text}`)
        await pause(50)
      }
    },
  }
}
