import { fork, type ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { migrate } from '../../src/platform/migrations.ts'
import { pickLoopbackPort } from '../up/freePort.ts'
import { startPrivatePostgres } from '../up/privatePostgres.ts'
import { startPrivateRedis } from '../up/privateRedis.ts'
import { readProcfile } from '../up/procfile.ts'

/** Real servers and processes for one benchmark, all of them gone when it ends. */
export interface Stage {
  readonly databaseUrl: string
  readonly redisUrl: string
  readonly apiKey: string
  /** Starts one of our processes, or the raw part, and waits until it listens. */
  start(file: string, options?: { args?: string[] }): Promise<{ url: string }>
  /** Starts a worker process, a query one unless said otherwise, and waits until it serves; answers how to end it. */
  startWorker(type?: 'query' | 'browser'): Promise<() => Promise<void>>
}

const apiKey = 'bench-key-of-thirty-two-characters-or-more'

/** Runs a benchmark on a stage of its own, whose processes have these settings beside the usual ones. */
export async function onStage<Result>(play: (stage: Stage) => Promise<Result>, settings: Readonly<Record<string, string>> = {}): Promise<Result> {
  await mkdir(resolve('.data'), { recursive: true })
  const dir = await mkdtemp(resolve('.data', 'bench-'))
  const [postgres, redis] = await Promise.all([startPrivatePostgres({ dir }), startPrivateRedis({ dir })])
  const children: ChildProcess[] = []
  const flagsOf = await nodeFlags()
  const env = { ...inherited(), DATABASE_URL: postgres.url, REDIS_URL: redis.url, MASTER_KEY: apiKey, BOOTSTRAP_API_KEY: apiKey, DATA_DIR: dir, LOG_LEVEL: 'info', ...settings }
  try {
    await migrate(postgres.url, resolve('prisma/migrations'))
    return await play({
      databaseUrl: postgres.url,
      redisUrl: redis.url,
      apiKey,
      async start(file, { args = [] } = {}) {
        const port = await pickLoopbackPort(null)
        const child = fork(file, args.map((arg) => arg.replace('$PORT', String(port))), { env: { ...env, PORT: String(port) }, execArgv: flagsOf('api'), stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
        children.push(child)
        await listening(port, child)
        return { url: `http://127.0.0.1:${port}` }
      },
      async startWorker(type = 'query') {
        const child = fork(`dist/workers/${type}.js`, [], { env, execArgv: flagsOf(type), stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
        children.push(child)
        await serving(child)
        return () => ended(child)
      },
    })
  } finally {
    for (const child of children) await ended(child)
    await Promise.all([postgres.stop(), redis.stop()])
    await rm(dir, { recursive: true, force: true })
  }
}

/** The flags of Node that the Procfile gives a kind of process; raw parts run with those of the API, so that nothing but their code differs. */
export async function nodeFlags(): Promise<(kind: string) => string[]> {
  const kinds = await readProcfile(resolve('Procfile'))
  const commands = new Map(kinds.map(({ name, command }) => [name, command]))
  return (kind) => [...process.execArgv, ...(commands.get(kind) ?? '').split(/\s+/).filter((word) => word.startsWith('--'))]
}

/** Children need the path to find programs, and nothing else of the caller's environment. */
function inherited(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: process.env['HOME'] }
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode}`)
    const answered = await fetch(`http://127.0.0.1:${port}/readyz`).then(() => true, () => false)
    if (answered) return
    await new Promise((wait) => setTimeout(wait, 50))
  }
  throw new Error(`${child.spawnargs.join(' ')} does not listen on ${port}`)
}

/** A worker listens nowhere; its log says when it has begun. */
function serving(child: ChildProcess): Promise<void> {
  return new Promise((done, fail) => {
    child.once('exit', (code) => fail(new Error(`the worker ended with ${code}`)))
    child.stdout?.on('data', (lines) => String(lines).includes('"serving"') && done()) // and is read on, so that it never waits for a reader
  })
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) return done()
    child.once('exit', () => done())
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), 5_000).unref()
  })
}
