import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { sweep } from '../../../workers/browser/sweep.ts'
import { foldersIn, makeScratchDir, processesOf } from '../../support/browserPool.ts'

/** The facts that a child with a pool tells of itself. */
interface Facts {
  readonly pid: number
  readonly descriptors: number
  /** Memory of the child, and of its browser, in mebibytes. */
  readonly ownMiB: number
  readonly browserMiB: number
  readonly processes: number
  readonly done: number
}

/** A process that opens a pool, runs jobs in a row, tells what it holds before and after, and lives on with a busy page. */
const script = (scratchDir: string): string => `
import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
const load = (path) => import(${JSON.stringify(pathToFileURL(resolve('dist')).href)} + path)
const { openPool } = await load('/workers/browser/pool.js')
const { listProcesses } = await load('/workers/browser/processes.js')
const { EgressGuard } = await load('/src/platform/egress/guard.js')
const { openLogger } = await load('/src/platform/logger.js')
const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end('<p>hello</p>'))
await new Promise((listening) => server.listen(0, '127.0.0.1', listening))
const pool = openPool({ guard: new EgressGuard(['127.0.0.0/8']), log: openLogger('silent', 'x'), concurrency: 3, spares: 1, scratchDir: ${JSON.stringify(scratchDir)} })
const need = () => ({ deadlineMs: 60_000, signal: new AbortController().signal })
const job = () => pool.use(need(), async ({ page }) => (await page.goto('http://127.0.0.1:' + server.address().port)).status())
const facts = async () => {
  const { browsers: [browser], done, active } = pool.details()
  const processes = listProcesses().filter(({ group }) => group === browser?.pid).length
  gc()
  const [ownMiB, browserMiB] = [process.memoryUsage.rss(), browser?.memoryBytes].map((bytes) => Math.round(bytes / 2 ** 20))
  return { pid: browser?.pid, descriptors: readdirSync('/proc/self/fd').length, ownMiB, browserMiB, processes, done, still: active === 0 && browser?.spares === 1 }
}
const settled = async () => {
  for (;;) {
    const now = await facts()
    if (now.still) return now
    await new Promise((again) => setTimeout(again, 50))
  }
}
const inLanes = (each) => Promise.all(Array.from({ length: 3 }, async () => { for (let i = 0; i < each; i++) await job() }))
await inLanes(10)
console.log(JSON.stringify(await settled()))
await inLanes(40)
console.log(JSON.stringify(await settled()))
void pool.use(need(), ({ page }) => page.evaluate('for (;;);')).catch(() => undefined)
`

async function startChild(scratchDir: string): Promise<{ readonly child: ChildProcess; readonly before: Facts; readonly after: Facts }> {
  if (!existsSync(resolve('dist/workers/browser/pool.js'))) throw new Error('dist is not built: run `npx tsc -p ops/tsconfig.build.json`, or the tests by `npm test`')
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', script(scratchDir)], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const told: Facts[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    told.push(JSON.parse(line) as Facts)
    if (told.length === 2) break
  }
  const [before, after] = told
  if (!before || !after) throw new Error('the child ended early')
  return { child, before, after }
}

describe('a process with a pool', { timeout: 90_000 }, () => {
  it('holds no more after 120 jobs than before; killed, it leaves no browser, and its folders go with the next sweep', async () => {
    const scratchDir = await makeScratchDir()
    const { child, before, after } = await startChild(scratchDir)
    expect(after).toMatchObject({ pid: before.pid, done: 150 })
    expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + 3)
    expect(after.processes).toBeLessThanOrEqual(before.processes + 1)
    expect(after.ownMiB).toBeLessThanOrEqual(before.ownMiB + 50)
    expect(after.browserMiB).toBeLessThanOrEqual(before.browserMiB + 50)
    expect(await foldersIn(scratchDir)).toHaveLength(1)
    expect(await sweep(scratchDir)).toMatchObject({ folders: 0 })

    expect(processesOf(after.pid).length).toBeGreaterThan(2)
    child.kill('SIGKILL')
    await expect.poll(() => processesOf(after.pid), { timeout: 5_000 }).toEqual([])
    expect(await sweep(scratchDir)).toMatchObject({ folders: 1 })
    expect(await foldersIn(scratchDir)).toEqual([])
  })
})
