import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { anyOf, bytes, ed25519Key, endpoint, headerPair, integer, list, networkTarget, pattern, text, url, type Parse } from './envValues.ts'

interface Setting<Value> {
  readonly name: string
  readonly parse: Parse<Value>
  /** The value as the user would write it; absent means that the setting may stay unset. */
  readonly fallback?: string
  readonly doc: string
  /** Never shown by any operation, log or reference. */
  readonly secret?: true
}

const setting = <Value>(row: Setting<Value> & { fallback: string }): Setting<Value> & { fallback: string } => row
const optional = <Value>(row: Setting<Value>): Setting<Value | undefined> => row

// Without commas, which separate the keys of MASTER_KEY_PREVIOUS, where each of them comes to stand one day.
const masterKey = pattern(/^[\x21-\x2b\x2d-\x7e]{32,1000}$/, '32 to 1000 printable characters without spaces and commas, for example from: openssl rand -base64 32')
const cores = availableParallelism()

/** Every setting of every process, declared once: parsing, the reference page and the environment operation read it. */
export const settings = {
  port: setting({ name: 'PORT', parse: integer(1, 65_535), fallback: '1968', doc: 'Port on which the API listens.' }),
  host: setting({ name: 'HOST', parse: text(1, 255), fallback: '127.0.0.1', doc: 'Address on which the API listens.' }),
  databaseUrl: optional({ name: 'DATABASE_URL', parse: url('postgres:', 'postgresql:'), secret: true, doc: 'An external PostgreSQL; unset starts a private one in DATA_DIR.' }),
  redisUrl: optional({ name: 'REDIS_URL', parse: url('redis:', 'rediss:'), secret: true, doc: 'An external Redis (6.2 or newer, noeviction); unset starts a private one in DATA_DIR.' }),
  redisPrefix: setting({ name: 'REDIS_PREFIX', parse: pattern(/^[A-Za-z0-9_-]{1,64}$/, 'up to 64 letters, digits, - and _'), fallback: 'quern', doc: 'Begins every Redis key, so that several installations can share one Redis.' }),
  dataDir: setting({ name: 'DATA_DIR', parse: (value) => resolve(value), fallback: '.data', doc: 'Data of the private servers and keys made at the first start.' }),
  bootstrapApiKey: optional({ name: 'BOOTSTRAP_API_KEY', parse: pattern(/^[\x21-\x7e]{32,1000}$/, '32 to 1000 printable characters without spaces'), secret: true, doc: 'The first admin key, instead of a made one.' }),
  masterKey: optional({ name: 'MASTER_KEY', parse: masterKey, secret: true, doc: 'Encrypts secrets at rest; made in DATA_DIR with a private database, required with an external one.' }),
  masterKeyPrevious: setting({ name: 'MASTER_KEY_PREVIOUS', parse: list(masterKey), fallback: '', secret: true, doc: 'Earlier master keys, separated by commas: what they encrypted stays readable, and is encrypted anew with MASTER_KEY.' }),
  authScheme: setting({ name: 'AUTH_SCHEME', parse: pattern(/^[A-Za-z][A-Za-z0-9-]{0,31}$/, 'a word of up to 32 letters, digits and -'), fallback: 'svc', doc: 'Scheme word of the Authorization header.' }),
  egressAllow: setting({ name: 'EGRESS_ALLOW', parse: list(networkTarget), fallback: '', doc: 'Private CIDRs or host:port pairs that jobs may reach, separated by commas.' }),
  cellarMaxBytes: setting({ name: 'CELLAR_MAX_BYTES', parse: bytes(1), fallback: '1GiB', doc: 'Largest cellar upload.' }),
  chromePath: optional({ name: 'CHROME_PATH', parse: text(1, 4096), doc: 'Browser binary; unset finds one.' }),
  policyDefault: setting({ name: 'POLICY_DEFAULT', parse: pattern(/^(off|\d{1,9}\/\d{1,9}\/\d{1,9})$/, 'perSecond/perTenSeconds/perMinute, such as 1/10/60, or off'), fallback: '1/10/60', doc: 'Dispatches per second / ten seconds / minute for hosts without a policy; `off` sets no limit.' }),
  licensePublicKey: optional({ name: 'LICENSE_PUBLIC_KEY', parse: ed25519Key, doc: 'Ed25519 public key (PEM, or base64url of its 32 bytes) that licenses must be signed with.' }),
  logLevel: setting({ name: 'LOG_LEVEL', parse: anyOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), fallback: 'info', doc: 'Least level that is logged.' }),
  otlpEndpoint: optional({ name: 'OTEL_EXPORTER_OTLP_ENDPOINT', parse: endpoint, doc: 'Collector that traces are sent to, over OTLP/HTTP as JSON below this address; unset sends and costs nothing.' }),
  otlpHeaders: setting({ name: 'OTEL_EXPORTER_OTLP_HEADERS', parse: list(headerPair), fallback: '', secret: true, doc: 'Headers for that collector as name=value, separated by commas.' }),
  databasePool: setting({ name: 'DATABASE_POOL', parse: integer(1, 500), fallback: '10', doc: 'Database connections of one process.' }),
  maxConnections: setting({ name: 'MAX_CONNECTIONS', parse: integer(1, 1_000_000), fallback: '10000', doc: 'Sockets that one API process keeps open at once.' }),
  maxRequests: setting({ name: 'MAX_REQUESTS', parse: integer(1, 1_000_000), fallback: '1000', doc: 'Requests that one API process works on at once; beyond it 503.' }),
  maxRequestsPerKey: setting({ name: 'MAX_REQUESTS_PER_KEY', parse: integer(1, 1_000_000), fallback: '500', doc: 'Requests of one key that one API process works on at once; beyond it 429.' }),
  bodyTimeoutMs: setting({ name: 'BODY_TIMEOUT_MS', parse: integer(100, 3_600_000), fallback: '30000', doc: 'Time in which a request body must arrive; uploads have ten minutes a GiB.' }),
  headersTimeoutMs: setting({ name: 'HEADERS_TIMEOUT_MS', parse: integer(100, 600_000), fallback: '10000', doc: 'Time in which the headers of a request must arrive; slower clients lose their connection.' }),
  idleTimeoutMs: setting({ name: 'IDLE_TIMEOUT_MS', parse: integer(100, 600_000), fallback: '10000', doc: 'Time after which a connection without a request is closed.' }),
  stallTimeoutMs: setting({ name: 'STALL_TIMEOUT_MS', parse: integer(100, 3_600_000), fallback: '60000', doc: 'Time in which something of a streamed answer must move; clients that take nothing lose their connection.' }),
  dispatchWaitMs: setting({ name: 'DISPATCH_WAIT_MS', parse: integer(1, 600_000), fallback: '120000', doc: 'How long a dispatch-and-wait waits unless `Prefer: wait` says otherwise.' }),
  maxQueued: setting({ name: 'MAX_QUEUED', parse: integer(1, 100_000_000), fallback: '10000', doc: 'Queries that may be queued or running at once; beyond it 503.' }),
  maxQueuedPerKey: setting({ name: 'MAX_QUEUED_PER_KEY', parse: integer(1, 100_000_000), fallback: '5000', doc: 'Queries of one key that may be queued or running at once; beyond it 429.' }),
  cacheTtlS: setting({ name: 'CACHE_TTL_S', parse: integer(1, 31_536_000), fallback: '3600', doc: 'Seconds that the rows of stages and commands are kept for later queries; a use keeps them longer.' }),
  fetchConcurrency: setting({ name: 'FETCH_CONCURRENCY', parse: integer(1, 10_000), fallback: '64', doc: 'Runs of fetching commands that one query process has under way at once.' }),
  fetchMaxBytes: setting({ name: 'FETCH_MAX_BYTES', parse: bytes(1), fallback: '64MiB', doc: 'Longest answer that a command reads.' }),
  fetchTimeoutMs: setting({ name: 'FETCH_TIMEOUT_MS', parse: integer(1, 3_600_000), fallback: '60000', doc: 'How long one run of an expanding command may take unless `--timeout` says otherwise.' }),
  stageMemory: setting({ name: 'STAGE_MEMORY', parse: bytes(1), fallback: '96MiB', doc: 'Rows that one stage holds in memory before it uses the disk.' }),
  queryConcurrency: setting({ name: 'QUERY_CONCURRENCY', parse: integer(1, 1000), fallback: String(cores * 8), doc: 'Jobs that one query process works on at once.' }),
  browserConcurrency: setting({ name: 'BROWSER_CONCURRENCY', parse: integer(1, 100), fallback: String(cores * 2), doc: 'Pages that one browser process works on at once.' }),
  browserJobMs: setting({ name: 'BROWSER_JOB_MS', parse: integer(100, 3_600_000), fallback: '60000', doc: 'How long one browser job may take from its first start, waiting for a policy included.' }),
  browserNavMs: setting({ name: 'BROWSER_NAV_MS', parse: integer(100, 3_600_000), fallback: '30000', doc: 'How long one page may take to load, and each wait for something of it.' }),
  browserNoSandbox: setting({ name: 'BROWSER_NO_SANDBOX', parse: anyOf('yes', 'no'), fallback: 'no', doc: '`yes` runs browsers without their sandbox: only where a container forbids it, and never with pages that are not trusted.' }),
  browserRecycleJobs: setting({ name: 'BROWSER_RECYCLE_JOBS', parse: integer(1, 1_000_000), fallback: '1000', doc: 'Jobs after which a browser makes room for a new one.' }),
  browserRecycleMinutes: setting({ name: 'BROWSER_RECYCLE_MINUTES', parse: integer(1, 100_000), fallback: '60', doc: 'Minutes after which a browser makes room for a new one.' }),
  browserRecycleMemory: optional({ name: 'BROWSER_RECYCLE_MEMORY', parse: bytes(1), doc: 'Memory of all its processes beyond which a browser makes room for a new one; unset: 2 GiB, or half of what the machine has.' }),
  browserReserveMemory: optional({ name: 'BROWSER_RESERVE_MEMORY', parse: bytes(1), doc: 'Memory that must be free for a browser process to take more than one job at a time; unset: 512 MiB, or a tenth of what the machine or the container has.' }),
  browserCpuPressure: setting({ name: 'BROWSER_CPU_PRESSURE', parse: integer(1, 100), fallback: '98', doc: 'Percent of the time in which work waits for a processor, from which on a browser process takes fewer jobs at a time, down to one a core; 100 never takes fewer.' }),
  exportConcurrency: setting({ name: 'EXPORT_CONCURRENCY', parse: integer(1, 1000), fallback: '8', doc: 'Deliveries that one export process works on at once.' }),
} as const

type Settings = typeof settings

/** The parsed settings of this process. */
export type Env = { readonly [Key in keyof Settings]: ReturnType<Settings[Key]['parse']> }

/** Bad settings, all of them at once, one a line. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError'
}

/** Reads and checks every setting; throws one error that lists every problem. */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const problems: string[] = []
  const read = (row: Setting<unknown>): unknown => {
    const given = source[row.name]?.trim() || row.fallback
    if (given === undefined) return undefined
    try {
      return row.parse(given)
    } catch (error) {
      // Whoever puts the wrong half of a pair of keys here must not find it in a log.
      const isHidden = row.secret || given.includes('PRIVATE KEY')
      problems.push(`${row.name} ${(error as Error).message}${isHidden ? '' : ` (it is ${JSON.stringify(given)})`}`)
      return undefined
    }
  }
  const env = Object.fromEntries(Object.entries(settings).map(([key, row]) => [key, read(row)]))
  if (problems.length > 0) throw new SettingsError(problems.join('\n'))
  return Object.freeze(env) as Env // each value was made by the parse function of its own row
}
