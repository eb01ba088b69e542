import { fork, type ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { migrate } from '../../src/platform/migrations.ts'
import { pickLoopbackPort } from '../up/freePort.ts'
import { startPrivatePostgres } from '../up/privatePostgres.ts'
import { startPrivateRedis } from '../up/privateRedis.ts'

/** Real servers and processes for one benchmark, all of them gone when it ends. */
export interface Stage {
  readonly databaseUrl: string
  readonly apiKey: string
  /** Starts one of our processes, or the raw part, and waits until it listens. */
  start(file: string, options?: { args?: string[] }): Promise<{ url: string }>
}

const apiKey = 'bench-key-of-thirty-two-characters-or-more'

/** Runs a benchmark on a stage of its own. */
export async function onStage<Result>(play: (stage: Stage) => Promise<Result>): Promise<Result> {
  await mkdir(resolve('.data'), { recursive: true })
  const dir = await mkdtemp(resolve('.data', 'bench-'))
  const [postgres, redis] = await Promise.all([startPrivatePostgres({ dir }), startPrivateRedis({ dir })])
  const children: ChildProcess[] = []
  const env = { ...inherited(), DATABASE_URL: postgres.url, REDIS_URL: redis.url, MASTER_KEY: apiKey, BOOTSTRAP_API_KEY: apiKey, DATA_DIR: dir, LOG_LEVEL: 'info' }
  try {
    await migrate(postgres.url, resolve('prisma/migrations'))
    return await play({
      databaseUrl: postgres.url,
      apiKey,
      async start(file, { args = [] } = {}) {
        const port = await pickLoopbackPort(null)
        const child = fork(file, args.map((arg) => arg.replace('$PORT', String(port))), { env: { ...env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
        children.push(child)
        await listening(port, child)
        return { url: `http://127.0.0.1:${port}` }
      },
    })
  } finally {
    for (const child of children) await ended(child)
    await Promise.all([postgres.stop(), redis.stop()])
    await rm(dir, { recursive: true, force: true })
  }
}

/** Children need the path to find programs, and nothing else of the caller's environment. */
function inherited(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: process.env['HOME'] }
}

async function listening(port: number, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (child.exitCode !== null) throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode}`)
    const answered = await fetch(`http://127.0.0.1:${port}/readyz`).then(() => true, () => false)
    if (answered) return
    await new Promise((wait) => setTimeout(wait, 50))
  }
  throw new Error(`${child.spawnargs.join(' ')} does not listen on ${port}`)
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((done) => {
    if (child.exitCode !== null || child.signalCode !== null) return done()
    child.once('exit', () => done())
    child.kill('SIGTERM')
    setTimeout(() => child.kill('SIGKILL'), 5_000).unref()
  })
}
