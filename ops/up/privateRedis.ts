import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import { preparePrivateDir, readOrMakeSecret } from './dataDir.ts'
import { startOnPort, type PrivateServer, type PrivateServerOptions } from './privateServer.ts'
import { endLeftover, launchReady, type ServerPlan } from './serverProcess.ts'
import { chooseServerUser } from './serverUser.ts'
import { StartError } from './startError.ts'

/** Starts a Redis of our own on loopback, with an append-only file, a password and no eviction. */
export async function startPrivateRedis(options: PrivateServerOptions): Promise<PrivateServer> {
  const { dir, signal } = options
  const data = join(dir, 'redis')
  await preparePrivateDir(dir)
  await mkdir(data, { recursive: true, mode: 0o700 })
  await endLeftover({ dir, name: 'redis', endSignal: 'SIGTERM' })
  const password = await readOrMakeSecret(join(dir, 'redis.password'), 24)
  const program = await findRedisServer()
  const user = await chooseServerUser(program, data)
  return startOnPort(options, join(dir, 'redis.port'), async (port) => {
    const url = `redis://:${password}@127.0.0.1:${port}/0`
    const plan: ServerPlan = {
      name: 'redis',
      dir,
      user,
      command: program,
      // The configuration comes by standard input, so that the password is in no argument and no file that the server could rewrite.
      args: ['-', '--dir', data],
      input: writeConfig(port, password),
      endSignal: 'SIGTERM',
      killSignal: 'SIGKILL',
    }
    return { ...(await launchReady(plan, () => answersPing(url), signal)), url, port }
  })
}

function writeConfig(port: number, password: string): string {
  const settings = {
    'bind': '127.0.0.1',
    'port': port,
    'requirepass': password,
    'appendonly': 'yes',
    'appendfsync': 'everysec',
    'save': '""',
    'maxmemory-policy': 'noeviction',
    'loglevel': 'warning',
    'set-proc-title': 'no',
    'always-show-logo': 'no',
  }
  return Object.entries(settings).map(([name, value]) => `${name} ${value}\n`).join('')
}

async function answersPing(url: string): Promise<boolean> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: null, connectTimeout: 1_000, commandTimeout: 2_000 })
  redis.on('error', () => undefined)
  try {
    await redis.connect()
    return (await redis.ping()) === 'PONG'
  } catch {
    return false
  } finally {
    redis.disconnect()
  }
}

async function findRedisServer(): Promise<string> {
  try {
    const search = 'PATH="$PATH:/usr/bin:/usr/local/bin:/opt/homebrew/bin"; command -v redis-server'
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', search])
    return stdout.trim()
  } catch {
    throw new StartError(
      'There is no redis-server on the PATH. Install Redis 6.2 or newer (`apt-get install redis-server`), or set REDIS_URL ' +
        'to one that runs elsewhere.',
    )
  }
}
