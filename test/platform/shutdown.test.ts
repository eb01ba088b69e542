import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openLogger } from '../../src/platform/logger.ts'
import { Shutdown } from '../../src/platform/shutdown.ts'
import { makeTestDir } from '../support/testDir.ts'

function openShutdown() {
  const lines: string[] = []
  const shutdown = new Shutdown(openLogger('info', 'test', { write: (line) => void lines.push(line) }))
  return { shutdown, lines }
}

describe('a shutdown', () => {
  test('closes what was opened last first, one after the other', async () => {
    const { shutdown } = openShutdown()
    const order: string[] = []
    for (const name of ['database', 'redis', 'server']) {
      shutdown.onShutdown(name, async () => {
        order.push(`${name} begins`)
        await new Promise(setImmediate)
        order.push(`${name} ends`)
      })
    }
    expect(shutdown.begun).toBe(false)
    const done = shutdown.run()
    expect(shutdown.begun).toBe(true)
    await done
    expect(order).toEqual(['server begins', 'server ends', 'redis begins', 'redis ends', 'database begins', 'database ends'])
  })

  test('goes on after a step that fails, and names it in the log', async () => {
    const { shutdown, lines } = openShutdown()
    const order: string[] = []
    shutdown.onShutdown('first', () => void order.push('first'))
    shutdown.onShutdown('rejects', () => Promise.reject(new Error('will not')))
    shutdown.onShutdown('throws', () => {
      throw new Error('cannot')
    })
    await shutdown.run()
    expect(order).toEqual(['first'])
    const told = lines.map((line) => JSON.parse(line) as { step: string; err: { message: string } })
    expect(told.map(({ step, err }) => [step, err.message])).toEqual([['throws', 'cannot'], ['rejects', 'will not']])
  })

  test('runs once, however often it is asked', async () => {
    const { shutdown } = openShutdown()
    let closed = 0
    shutdown.onShutdown('once', () => void (closed += 1))
    await Promise.all([shutdown.run(), shutdown.run()])
    await shutdown.run()
    expect(closed).toBe(1)
  })
})

interface Listening {
  readonly child: ChildProcess
  readonly exited: Promise<number>
  output(): string
}

/** Starts a process that listens for its end; its one step takes `closeMs`. */
async function startListening(options: { closeMs: number; boundMs?: number; withParent?: boolean }): Promise<Listening> {
  const built = resolve('dist/src/platform')
  if (!existsSync(built)) throw new Error(`${built} is not built: run \`npx tsc -p ops/tsconfig.build.json\`, or the tests by \`npm test\``)
  const script = `
    import { openLogger } from ${JSON.stringify(pathToFileURL(`${built}/logger.js`).href)}
    import { Shutdown } from ${JSON.stringify(pathToFileURL(`${built}/shutdown.js`).href)}
    const shutdown = new Shutdown(openLogger('info', 'child'), ${options.boundMs ?? 10_000})
    shutdown.onShutdown('slow', () => new Promise((done) => setTimeout(done, ${options.closeMs})))
    shutdown.onShutdown('told', () => console.log('closing'))
    setInterval(() => undefined, 1_000)
    shutdown.listen()
    console.log('ready')
  `
  const path = `${await makeTestDir()}/child.mjs`
  await writeFile(path, script)
  const child = options.withParent ? fork(path, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] }) : spawn(process.execPath, [path], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const exited = once(child, 'exit').then(([code]: unknown[]) => code as number)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  await expect.poll(() => output, { timeout: 10_000 }).toContain('ready')
  return { child, exited, output: () => output }
}

describe('a process that listens for its end', () => {
  test.for<NodeJS.Signals>(['SIGTERM', 'SIGINT'])('ends with 0 after its steps on %s', async (signal) => {
    const { child, exited, output } = await startListening({ closeMs: 50 })
    child.kill(signal)
    expect(await exited).toBe(0)
    expect(output()).toContain(`"signal":"${signal}"`)
  })

  test('ends at once with 1 on a second signal', async () => {
    const { child, exited, output } = await startListening({ closeMs: 60_000, boundMs: 60_000 })
    child.kill('SIGTERM')
    await expect.poll(output).toContain('closing')
    child.kill('SIGINT')
    expect(await exited).toBe(1)
  })

  test('ends with 1 when its steps take longer than the bound', async () => {
    const { child, exited } = await startListening({ closeMs: 60_000, boundMs: 100 })
    child.kill('SIGTERM')
    expect(await exited).toBe(1)
  })

  test('ends in order when the parent that started it is gone', async () => {
    const { child, exited, output } = await startListening({ closeMs: 50, withParent: true })
    child.disconnect()
    expect(await exited).toBe(0)
    expect(output()).toContain('parent gone')
  })

  test('leaves a Ctrl-C of the terminal to the parent, and takes its own time although the parent goes meanwhile', async () => {
    const { child, exited, output } = await startListening({ closeMs: 300, withParent: true })
    child.kill('SIGINT')
    child.kill('SIGTERM')
    await expect.poll(output).toContain('closing')
    child.disconnect()
    expect(await exited).toBe(0)
  })
})
