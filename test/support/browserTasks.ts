import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { EgressGuard } from '../../src/platform/egress/guard.ts'
import { Problem } from '../../src/platform/errors.ts'
import { openLogger } from '../../src/platform/logger.ts'
import { openPool, type Pool } from '../../workers/browser/pool.ts'
import { Tab } from '../../workers/browser/steps/tab.ts'
import type { TaskTools } from '../../workers/browser/steps/tasks.ts'

/** Pages by their path; functions answer by themselves. */
export type Site = Readonly<Record<string, string | RequestListener>>

/** One pool and one site for all tests of a file. */
export interface TaskBench {
  readonly url: string
  readonly port: number
  /** What a task is given; some of it may be set otherwise. */
  tools(more?: Partial<TaskTools>): TaskTools
  /** Runs a step in a fresh tab. */
  inTab<T>(step: (tab: Tab) => Promise<T>): Promise<T>
}

/** Opens a bench before the tests of a file, and closes it behind them. */
export function openBench(site: Site): TaskBench {
  let [pool, dir, port] = [undefined as Pool | undefined, '', 0]
  const server = createServer((request, response) => {
    const page = site[new URL(request.url ?? '/', 'http://x').pathname]
    if (typeof page === 'function') return page(request, response)
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page ?? '')
  })
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'quern-test-'))
    await chmod(dir, 0o755)
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    port = (server.address() as AddressInfo).port // a TCP server has such an address
    pool = openPool({
      guard: new EgressGuard(['127.0.0.0/24']), log: openLogger('silent', 'test'), concurrency: 4, spares: 2, patienceMs: 15_000, scratchDir: join(dir, 'browsers'),
    })
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await pool?.close()
    await rm(dir, { recursive: true, force: true, maxRetries: 5 })
  })
  const opened = (): Pool => {
    if (!pool) throw new Error('The pool opens before the tests do.')
    return pool
  }
  const tools = (more: Partial<TaskTools> = {}): TaskTools => ({ pool: opened(), deadlineMs: 40_000, signal: new AbortController().signal, ...more })
  return {
    get url() {
      return `http://127.0.0.1:${port}`
    },
    get port() {
      return port
    },
    tools,
    inTab: (step) => opened().use({ deadlineMs: 40_000, signal: new AbortController().signal }, async (visit) => step(await Tab.open(visit))),
  }
}

/** The problem that a promise fails with. */
export async function problemOf(promise: Promise<unknown>): Promise<Problem> {
  const error = await promise.then(() => new Error('it did not fail'), (reason: unknown) => reason)
  if (error instanceof Problem) return error
  throw error
}
