import type { ConsoleLine, Flight, FlightEntry } from '../../../src/contract/krull/flight.ts'
import { version } from '../../../src/platform/version.ts'
import { flightBounds } from './bounds.ts'
import { cut } from './cut.ts'
import { hideParameters } from './hide.ts'
import type { SeenRequest } from './networkLog.ts'

/** What is told of a flight. */
export interface FlightFacts {
  readonly browser: string
  readonly url: string
  readonly startedAt: number
  readonly requests: readonly SeenRequest[]
  readonly lines: readonly ConsoleLine[]
  readonly error: { readonly code: string; readonly detail: string }
}

const page = 'page'

/** Writes a flight as an HTTP archive, without the secrets that `hide` knows; of what does not fit the oldest is left out. */
export function toHar({ browser, url, startedAt, requests, lines, error }: FlightFacts, hide: (text: string) => string): Flight {
  const [name = browser, number = ''] = browser.split('/')
  const kept = newest(lines.map((line) => cleanLine(line, hide)), flightBounds.harBytes / 2)
  const entries = newest(requests.map((request) => entryOf(request, hide)), flightBounds.harBytes - sizeOf(kept))
  return {
    log: {
      version: '1.2',
      creator: { name: 'Quern', version },
      browser: { name, version: number },
      pages: [{ startedDateTime: new Date(startedAt).toISOString(), id: page, title: address(url, hide), pageTimings: {} }],
      entries,
      _console: kept,
      _error: { code: error.code, detail: hide(error.detail) },
    },
  }
}

function cleanLine(line: ConsoleLine, hide: (text: string) => string): ConsoleLine {
  return { ...line, text: cut(hide(line.text), flightBounds.lineBytes), ...(line.url === undefined ? {} : { url: address(line.url, hide) }) }
}

function entryOf(seen: SeenRequest, hide: (text: string) => string): FlightEntry {
  const { startedAt, answer, endedAt = answer?.at ?? startedAt } = seen
  const url = address(seen.url, hide)
  const waited = (answer?.at ?? endedAt) - startedAt
  const answered = answer?.headers ?? {}
  const unknown = { httpVersion: 'unknown', cookies: [], headersSize: -1 }
  return {
    pageref: page,
    startedDateTime: new Date(startedAt).toISOString(),
    time: Math.max(0, endedAt - startedAt),
    request: { method: seen.method, url, ...unknown, headers: pairs(seen.headers, hide), queryString: parametersOf(url), bodySize: -1 },
    response: {
      status: Math.max(0, answer?.status ?? 0),
      statusText: hide(answer?.statusText ?? ''),
      ...unknown,
      headers: pairs(answered, hide),
      content: { size: bytesOf(answered), mimeType: hide(answered['content-type'] ?? '') },
      redirectURL: address(answered['location'] ?? '', hide),
      bodySize: -1,
    },
    cache: {},
    timings: { send: 0, wait: Math.max(0, waited), receive: Math.max(0, endedAt - startedAt - waited) },
    _resourceType: seen.type,
    ...(seen.error === undefined ? {} : { _error: seen.error }),
  }
}

const pairs = (headers: Readonly<Record<string, string>>, hide: (text: string) => string): { name: string; value: string }[] =>
  Object.entries(headers).map(([name, value]) => ({ name, value: address(value, hide) }))

/** An address, or any text that may be one. */
const address = (text: string, hide: (text: string) => string): string => cut(hideParameters(hide(text)), flightBounds.urlBytes)

const parametersOf = (url: string): { name: string; value: string }[] =>
  URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : []

function bytesOf(headers: Readonly<Record<string, string>>): number {
  const length = headers['content-length'] ?? ''
  return /^\d{1,15}$/.test(length) ? Number(length) : -1
}

/** The last things that fit into so many bytes together. */
function newest<Thing>(things: readonly Thing[], most: number): Thing[] {
  let left = most
  const from = things.findLastIndex((thing) => (left -= sizeOf(thing) + 1) < 0)
  return things.slice(from + 1)
}

const sizeOf = (thing: unknown): number => Buffer.byteLength(JSON.stringify(thing))
