import { Type, type Static } from 'typebox'
import { Instant } from '../schemas.ts'

const Size = Type.Integer({ minimum: -1, description: 'Bytes; -1 where they are not known.' })
const Pairs = Type.Array(Type.Object({ name: Type.String(), value: Type.String() }))
const NoCookies = Type.Array(Type.Object({}), { maxItems: 0, description: 'Cookies are never kept.' })
const Ms = Type.Number({ minimum: 0 })

const Entry = Type.Object({
  pageref: Type.String(),
  startedDateTime: Instant,
  time: Ms,
  request: Type.Object({
    method: Type.String(),
    url: Type.String(),
    httpVersion: Type.String(),
    cookies: NoCookies,
    headers: Pairs,
    queryString: Pairs,
    headersSize: Size,
    bodySize: Size,
  }),
  response: Type.Object({
    status: Type.Integer({ minimum: 0, description: '0 where nothing was answered.' }),
    statusText: Type.String(),
    httpVersion: Type.String(),
    cookies: NoCookies,
    headers: Pairs,
    content: Type.Object({ size: Size, mimeType: Type.String() }),
    redirectURL: Type.String(),
    headersSize: Size,
    bodySize: Size,
  }),
  cache: Type.Object({}),
  timings: Type.Object({ send: Ms, wait: Ms, receive: Ms }),
  _resourceType: Type.String(),
  _error: Type.Optional(Type.String({ description: 'Why nothing came back.' })),
})

const ConsoleLine = Type.Object({
  at: Instant,
  level: Type.String(),
  text: Type.String({ description: 'At most 2 KiB.' }),
  url: Type.Optional(Type.String()),
  line: Type.Optional(Type.Integer()),
})
export type ConsoleLine = Static<typeof ConsoleLine>

/** What the page of failed browser work did last, as an HTTP archive (HAR 1.2) with members of our own. */
export const Flight = Type.Object({
  log: Type.Object({
    version: Type.Literal('1.2'),
    creator: Type.Object({ name: Type.String(), version: Type.String() }),
    browser: Type.Object({ name: Type.String(), version: Type.String() }),
    pages: Type.Array(Type.Object({ startedDateTime: Instant, id: Type.String(), title: Type.String(), pageTimings: Type.Object({}) })),
    entries: Type.Array(Entry, { description: 'The last requests, 500 at most, oldest first, without bodies, cookies and most headers.' }),
    _console: Type.Array(ConsoleLine, { description: 'The last lines of the console, 100 at most, oldest first.' }),
    _error: Type.Object({ code: Type.String(), detail: Type.String() }, { description: 'What the work failed with.' }),
    _thumbnail: Type.Optional(Type.String({ description: 'Address of a picture of the page at that moment.' })),
  }),
})
export type Flight = Static<typeof Flight>
export type FlightEntry = Flight['log']['entries'][number]

/** Said of every operation that answers one. */
export const flightNote =
  'Kept as long as the record itself. Secrets are masked. A 404 where nothing is kept: the work did not fail, or failed before a page was opened.'
