import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { EgressGuard } from '../../src/platform/egress/guard.ts'
import { openLogger } from '../../src/platform/logger.ts'
import { openPool, type Need, type Pool } from '../../workers/browser/pool.ts'
import type { PoolOptions } from '../../workers/browser/poolOptions.ts'
import { listProcesses } from '../../workers/browser/processes.ts'

/** A pool of the test's own that may reach loopback, in a folder that every user can pass through; closed when the test ends. */
export async function openTestPool(options: Partial<PoolOptions> = {}): Promise<Pool & { readonly scratchDir: string }> {
  const scratchDir = options.scratchDir ?? (await makeScratchDir())
  const guard = new EgressGuard(['127.0.0.0/8'])
  const pool = openPool({ guard, log: openLogger('silent', 'test'), concurrency: 2, spares: 1, patienceMs: 15_000, scratchDir, ...options })
  onTestFinished(() => pool.close())
  return { use: (need, work) => pool.use(need, work), details: () => pool.details(), close: () => pool.close(), scratchDir }
}

/** A path for the folders of browsers, gone when the test ends; browsers do not run as our user, and must get there too. */
export async function makeScratchDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'quern-test-'))
  await chmod(dir, 0o755)
  onTestFinished(() => rm(dir, { recursive: true, force: true, maxRetries: 5 }))
  return join(dir, 'browsers')
}

/** A need with a deadline, and no caller who gives up. */
export const within = (deadlineMs: number, more: Partial<Need> = {}): Need => ({ deadlineMs, signal: new AbortController().signal, ...more })

/** Serves pages on loopback by their path; functions answer by themselves. */
export async function servePages(pages: Readonly<Record<string, string | RequestListener>>): Promise<{ readonly url: string; readonly port: number }> {
  const server = createServer((request, response) => {
    const page = pages[new URL(request.url ?? '/', 'http://x').pathname]
    if (typeof page === 'function') return page(request, response)
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page ?? '')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo // a TCP server has such an address
  return { url: `http://127.0.0.1:${port}`, port }
}

/** A port that counts who connects to it, and answers nothing. */
export async function observe(): Promise<{ readonly port: number; readonly seen: () => number }> {
  let seen = 0
  const server = createTcpServer((socket) => {
    seen += 1
    socket.on('error', () => undefined).end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\naccess-control-allow-origin: *\r\n\r\n')
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, seen: () => seen }
}

/** The processes of a browser, by the pid of its first one. */
export const processesOf = (pid: number): number[] => listProcesses().filter(({ group }) => group === pid).map((process) => process.pid)

/** The folders of browsers below a pool's folder. */
export const foldersIn = (scratchDir: string): Promise<string[]> => readdir(scratchDir).catch(() => [])
