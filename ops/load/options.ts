import { isIP } from 'node:net'
import { parseArgs } from 'node:util'

/** What the load test is asked to do. */
export interface LoadOptions {
  readonly url: string
  readonly key: string
  readonly scheme: string
  /** Requests that arrive in each second, once the ramp is over. */
  readonly rate: number
  readonly seconds: number
  /** Seconds in which the rate grows from nothing. */
  readonly rampS: number
  /** Requests that may be under way at once. */
  readonly concurrency: number
  readonly timeoutS: number
  readonly query: string
  /** Waits for the end of each query. */
  readonly wait: boolean
  /** Reads the state of all accepted queries at the end. */
  readonly verify: boolean
  /** File for the plot. */
  readonly out: string | null
  readonly json: boolean
}

/** Where the options that are not given come from. */
export interface Defaults {
  readonly url: string
  readonly key: string | undefined
  readonly scheme: string
}

/** Options that cannot be used; the message lists every problem, one a line. */
export class OptionsError extends Error {
  override readonly name = 'OptionsError'
}

const mostRequests = 2_000_000

const known = {
  url: { type: 'string' },
  key: { type: 'string' },
  rate: { type: 'string', default: '50' },
  seconds: { type: 'string', default: '30' },
  ramp: { type: 'string', default: '0' },
  concurrency: { type: 'string', default: '256' },
  timeout: { type: 'string', default: '150' },
  query: { type: 'string', default: `seed '{"load": "{n}"}'` },
  wait: { type: 'boolean', default: false },
  verify: { type: 'boolean', default: false },
  'yes-remote': { type: 'boolean', default: false },
  out: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

/** The words that `--help` shows. */
export const usage = `npm run load -- [options]

  --rate 50          requests that arrive in each second (1 to 5,000)
  --seconds 30       how long (1 to 3,600)
  --ramp 0           seconds in which the rate grows from nothing
  --concurrency 256  requests under way at once (1 to 10,000); what arrives beyond it waits, and its wait is measured
  --timeout 150      seconds after which a request is given up (1 to 600)
  --query <text>     what is dispatched; each {n} in it becomes another text, so that no rows come from the cache
  --wait             wait for the end of each query, and measure that
  --verify           read the state of every accepted query at the end: none may be lost
  --url <address>    the API; unset: the one of PORT and HOST on this machine
  --key <key>        an API key with the scopes queries:read and queries:write; unset: QUERN_API_KEY
  --yes-remote       allow a target on another machine: it must be yours
  --out load.svg     draw latency and rates over time
  --json             print the report as JSON
`

/** Reads the words of the command line; null where help was asked for. Throws an `OptionsError` that lists every problem. */
export function readOptions(words: readonly string[], defaults: Defaults): LoadOptions | null {
  const values = parse(words)
  if (values.help) return null
  const problems: string[] = []
  const number = (name: 'rate' | 'seconds' | 'ramp' | 'concurrency' | 'timeout', least: number, most: number): number => {
    const value = values[name].trim() === '' ? Number.NaN : Number(values[name])
    if (value >= least && value <= most && (name !== 'concurrency' || Number.isInteger(value))) return value
    problems.push(`--${name} must be a number from ${least} to ${most.toLocaleString('en')} (it is ${JSON.stringify(values[name])}).`)
    return least
  }
  const options: LoadOptions = {
    url: values.url ?? defaults.url,
    key: values.key ?? defaults.key ?? '',
    scheme: defaults.scheme,
    rate: number('rate', 1, 5_000),
    seconds: number('seconds', 1, 3_600),
    rampS: number('ramp', 0, 3_600),
    concurrency: number('concurrency', 1, 10_000),
    timeoutS: number('timeout', 1, 600),
    query: values.query,
    wait: values.wait,
    verify: values.verify,
    out: values.out ?? null,
    json: values.json,
  }
  problems.push(...problemsOf(options, values['yes-remote']))
  if (problems.length > 0) throw new OptionsError(problems.join('\n'))
  return options
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: known, allowPositionals: false }).values
  } catch (error) {
    const reason = (error as Error).message.split(/\.\s/)[0] // what follows explains how to write what we do not take
    throw new OptionsError(`${reason}. \`npm run load -- --help\` lists the options.`)
  }
}

function problemsOf({ url, key, rate, seconds, rampS, query, out }: LoadOptions, yesRemote: boolean): string[] {
  const checks: Array<[boolean, string]> = [
    [key === '', 'An API key is missing: give it with --key, or in QUERN_API_KEY; the first start showed one.'],
    [!/^[\x21-\x7e]*$/.test(key), '--key must be an API key: printable characters without spaces.'],
    [rampS > seconds, '--ramp must not be longer than --seconds.'],
    [rate * seconds > mostRequests, `--rate times --seconds must not exceed ${mostRequests.toLocaleString('en')} requests.`],
    [query.trim() === '', '--query must be the text of a query.'],
    [out !== null && !out.endsWith('.svg'), '--out must name a file that ends with .svg.'],
  ]
  return [...checkUrl(url, yesRemote), ...checks.filter(([wrong]) => wrong).map(([, words]) => words)]
}

function checkUrl(url: string, yesRemote: boolean): string[] {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) {
    return [`--url must be an address such as http://127.0.0.1:1968 (it is ${JSON.stringify(url)}).`]
  }
  if (yesRemote || isLoopback(parsed.hostname)) return []
  const reason = `--url names another machine (${parsed.hostname}): a load test of somebody else's machine is an attack.`
  return [`${reason} Where it is yours, add --yes-remote.`]
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}
