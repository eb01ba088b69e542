import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { pickLoopbackPort } from '../../ops/up/freePort.ts'
import { startRunner } from '../support/runner.ts'
import { makeTestDir } from '../support/testDir.ts'

const run = promisify(execFile)

describe('npm start', () => {
  test('brings everything up, keeps it up, and takes it down again', { timeout: 120_000 }, async () => {
    const dataDir = await makeTestDir()
    const settings = { DATA_DIR: dataDir, PORT: String(await pickLoopbackPort(null)) }
    const runner = startRunner(settings, ['--scale', 'api=2,query=2'])
    await runner.says('curl -s')

    const line = /^ *curl -s .*$/m.exec(runner.output())?.[0] ?? ''
    const ask = async (): Promise<string> => (await run('/bin/sh', ['-c', line])).stdout
    const answer = '"results":[{"content":{"count":10,"sum(n)":45}}]'
    expect(await ask()).toContain(answer)
    expect(runner.output()).toMatch(/api\.2[^]*query\.2/)

    for (const victim of [/dist\/workers\/query\.js/, /redis-server/, /postgres -D/]) {
      const [pid] = processesIn(dataDir, victim)
      process.kill(pid ?? Number.NaN, 'SIGKILL')
      await expect.poll(() => processesIn(dataDir, victim).filter((other) => other !== pid).length, { timeout: 10_000 }).toBeGreaterThan(0)
    }
    await expect.poll(ask, { timeout: 15_000 }).toContain(answer)

    runner.signal('SIGTERM')
    expect(await runner.exited).toBe(0)
    expect(processesIn(dataDir, /./)).toEqual([])

    const again = startRunner(settings)
    await again.says('$QUERN_API_KEY')
    expect(again.output()).not.toContain('API key        svc_')
    expect(await ask()).toContain(answer)
    again.signal('SIGKILL')
    await again.exited
    await expect.poll(() => processesIn(dataDir, /./), { timeout: 15_000 }).toEqual([])
  })

  test.for([
    [{ PORT: 'many' }, [], 'PORT must be a whole number from 1 to 65535'],
    [{}, ['--scale', 'qwery=2'], 'qwery'],
    [{}, ['--scale', 'query=-1'], 'query'],
    [{ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', MASTER_KEY: 'k'.repeat(40) }, [], 'DATABASE_URL'],
    [{ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }, [], 'MASTER_KEY'],
    [{ REDIS_URL: 'redis://127.0.0.1:1' }, [], 'REDIS_URL'],
    [{ LICENSE_PUBLIC_KEY: 'none' }, [], 'LICENSE_PUBLIC_KEY must be an Ed25519 public key'],
    [{ DATA_DIR: '/proc/none/data' }, [], 'or choose another one with DATA_DIR.'],
    [{ DATA_DIR: '/dev/null' }, [], 'or choose another one with DATA_DIR.'],
  ] as const)('says in one message what is wrong with %j %j', { timeout: 60_000 }, async ([settings, args, words]) => {
    const runner = startRunner({ DATA_DIR: await makeTestDir(), PORT: String(await pickLoopbackPort(null)), ...settings }, args)
    expect(await runner.exited).toBe(1)
    expect(runner.output()).toContain(words)
    expect(runner.output()).not.toMatch(/^\s+at .+:\d+:\d+/m)
  })

  test('says which port is in use and how to choose another', { timeout: 60_000 }, async () => {
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((ready) => server.once('listening', ready))
    const { port } = server.address() as { port: number }
    const runner = startRunner({ DATA_DIR: await makeTestDir(), PORT: String(port) })
    expect(await runner.exited).toBe(1)
    expect(runner.output()).toContain(`Port ${port} of 127.0.0.1 is in use`)
  })
})

/** Pids of processes that belong to a data directory, by their environment, arguments or folder, and whose command line matches. */
function processesIn(dataDir: string, command: RegExp): number[] {
  const read = (pid: string, file: string): string => {
    try {
      return file === 'cwd' ? readlinkSync(`/proc/${pid}/cwd`) : readFileSync(`/proc/${pid}/${file}`, 'utf8').replaceAll('\0', ' ')
    } catch {
      return ''
    }
  }
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && Number(entry) !== process.pid)
    .filter((pid) => ['cmdline', 'environ', 'cwd'].some((file) => read(pid, file).includes(dataDir)) && command.test(read(pid, 'cmdline')) && !read(pid, 'cmdline').includes('ops/start.mjs'))
    .map(Number)
}
