import pg from 'pg'
import type { Logger } from '../logger.ts'

const tickMs = 500
/** How long nothing may come back from the database before it is asked on a fresh connection. */
const silenceMs = 1_000
/** How long that question may take. */
const probeMs = 1_500

type ConnectCallback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: Error | boolean) => void) => void

/** A database that does not answer: whatever needs it fails with this at once. */
class DatabaseSilent extends Error {
  readonly code = 'ETIMEDOUT'

  constructor() {
    super('Connection terminated: the database does not answer')
  }
}

/** Dialling has a bound of its own, because waiting for a connection of a busy pool may take longer. */
class PromptClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super({ ...config, connectionTimeoutMillis: 2_500 })
  }
}

/**
 * A pool that notices when the database has fallen silent, which a socket alone would not tell for minutes.
 * Then everything that waits for it fails at once, and it is asked again and again until it is back.
 */
export class GuardedPool extends pg.Pool {
  readonly #open = new Set<pg.PoolClient>()
  readonly #waiting = new Set<(error: Error) => void>()
  readonly #log: Logger
  readonly #timer: NodeJS.Timeout
  #heardAt = 0
  #asking = false
  #silent = false

  constructor(config: pg.PoolConfig, log: Logger) {
    super({ ...config, Client: PromptClient })
    this.#log = log
    this.#timer = setInterval(() => void this.#watch(), tickMs).unref()
    this.on('connect', (client) => this.#opened(client))
    this.on('remove', (client) => this.#open.delete(client))
    this.on('release', (error) => void (error ? undefined : (this.#heardAt = performance.now())))
  }

  override connect(): Promise<pg.PoolClient>
  override connect(callback: ConnectCallback): void
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | void {
    const client = this.#acquire()
    if (!callback) return client
    client.then((open) => callback(undefined, open, open.release), (error: Error) => callback(error, undefined, () => undefined))
  }

  override end(): Promise<void>
  override end(callback: () => void): void
  override end(callback?: () => void): Promise<void> | void {
    clearInterval(this.#timer)
    return callback ? super.end(callback) : super.end()
  }

  #acquire(): Promise<pg.PoolClient> {
    if (this.#silent) return Promise.reject(new DatabaseSilent())
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject)
      super.connect().then(
        (client) => (this.#waiting.delete(reject) ? resolve(client) : client.release(true)),
        (error: Error) => {
          this.#waiting.delete(reject)
          reject(error)
        },
      )
    })
  }

  #opened(client: pg.PoolClient): void {
    this.#heardAt = performance.now()
    this.#open.add(client)
    // The query under way fails by itself; without a listener the same error would also end the process.
    client.on('error', () => undefined)
  }

  /** Asks the database where work waits for it and nothing has come back for a while, or where it was silent before. */
  async #watch(): Promise<void> {
    const busy = this.totalCount > this.idleCount || this.waitingCount > 0
    if (this.#asking || (!this.#silent && (!busy || performance.now() - this.#heardAt < silenceMs))) return
    this.#asking = true
    // A second question before the verdict: on a busy machine one may simply come too late.
    const answers = (await this.#ask()) || (!this.#silent && (await this.#ask()))
    this.#asking = false
    if (answers) this.#heardAt = performance.now()
    if (answers === !this.#silent) return
    this.#silent = !answers
    if (answers) this.#log.info('the database answers again')
    else this.#fallSilent()
  }

  #fallSilent(): void {
    this.#log.warn('the database does not answer')
    for (const client of this.#open) client.connection.stream.destroy()
    for (const fail of this.#waiting) fail(new DatabaseSilent())
    this.#waiting.clear()
  }

  /** Whether the database says anything at all to a new connection; a refusal in its own words is an answer too. */
  async #ask(): Promise<boolean> {
    const client = new pg.Client({ ...this.options, connectionTimeoutMillis: probeMs, query_timeout: probeMs })
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query('SELECT 1')
      return true
    } catch (error) {
      return error instanceof pg.DatabaseError
    } finally {
      client.end().catch(() => undefined)
    }
  }
}
