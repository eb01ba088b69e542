import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { preparePrivateDir, readOrMakeSecret } from './dataDir.ts'
import { ensureCluster } from './postgresCluster.ts'
import { findPostgresPrograms } from './postgresPrograms.ts'
import { startOnPort, type PrivateServer, type PrivateServerOptions } from './privateServer.ts'
import { endProcess, inspectProcess } from './processTable.ts'
import { endLeftover, launchReady, type ServerPlan } from './serverProcess.ts'
import { chooseServerUser } from './serverUser.ts'

/** Options of a private PostgreSQL. */
export interface PrivatePostgresOptions extends PrivateServerOptions {
  /** Server settings that replace ours, such as `fsync: 'off'` where the data is thrown away. */
  readonly settings?: Readonly<Record<string, string>>
}

const ordinarySettings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  wal_level: 'minimal',
  max_wal_senders: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
}

/** Starts a PostgreSQL of our own on loopback, with the database and role `quern`; a new folder gets a new cluster. */
export async function startPrivatePostgres(options: PrivatePostgresOptions): Promise<PrivateServer> {
  const { dir, signal } = options
  const home = join(dir, 'postgres')
  const data = join(home, 'data')
  await preparePrivateDir(dir)
  await mkdir(home, { recursive: true, mode: 0o700 })
  await endLeftover({ dir, name: 'postgres', endSignal: 'SIGINT' })
  await clearPidFile(data)
  const programs = await findPostgresPrograms()
  const user = await chooseServerUser(programs.postgres, home)
  const password = await readOrMakeSecret(passwordPath(dir), 24)
  await ensureCluster({ programs, user, data, password })
  return startOnPort(options, portPath(dir), async (port) => {
    const url = urlOf(password, port)
    const settings = Object.entries({ ...ordinarySettings, port: String(port), ...options.settings })
    const plan: ServerPlan = {
      name: 'postgres',
      dir,
      user,
      command: programs.postgres,
      args: ['-D', data, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      endSignal: 'SIGINT',
      killSignal: 'SIGQUIT',
    }
    return { ...(await launchReady(plan, () => acceptsLogin(url), signal)), url, port }
  })
}

/** The address of the private PostgreSQL of a folder, as its last start left it; null where none was ever started. */
export async function findPrivatePostgres(dir: string): Promise<string | null> {
  const [password, port] = await Promise.all([passwordPath(dir), portPath(dir)].map((path) => readFile(path, 'utf8').catch(() => '')))
  return password && port ? urlOf(password.trim(), Number(port)) : null
}

const passwordPath = (dir: string): string => join(dir, 'postgres.password')
const portPath = (dir: string): string => join(dir, 'postgres.port')
const urlOf = (password: string, port: number): string => `postgresql://quern:${password}@127.0.0.1:${port}/quern`

async function acceptsLogin(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** PostgreSQL trusts the process id in its own lock file; after a crash that id may belong to something else entirely. */
async function clearPidFile(data: string): Promise<void> {
  const path = join(data, 'postmaster.pid')
  const [line] = (await readFile(path, 'utf8').catch(() => '')).split('\n')
  const pid = Math.abs(Number(line))
  const facts = pid > 0 ? await inspectProcess(pid) : null
  if (facts?.command.includes(data)) await endProcess(pid, 'SIGINT', 20_000)
  else if (facts) await rm(path, { force: true })
}
