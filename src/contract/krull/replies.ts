import { Type, type Static } from 'typebox'
import { Instant, OneOf, Uuid } from '../schemas.ts'
import { Screenshot } from '../screenshot/screenshots.ts'
import { Cookie, MapOf } from './options.ts'

const Count = Type.Integer({ minimum: 0 })
const Status = Type.Union([Type.Integer(), Type.Null()], { description: 'HTTP status; null where nothing was answered.' })
const Value = Type.Unknown({ description: 'Value of the expression, as JSON.' })

/** The page that was opened, as it was at the end. */
export const PageInfo = Type.Object({ url: Type.String(), status: Status, title: Type.String(), ms: Type.Number({ minimum: 0 }) })
export type PageInfo = Static<typeof PageInfo>

/** Cookies and storages of a page; what is captured can be sent again. */
export const sessionFields = { cookieStorage: MapOf(Cookie), localStorage: MapOf(Type.String()), sessionStorage: MapOf(Type.String()) } as const

const session = {
  cookieStorage: Type.Optional(sessionFields.cookieStorage),
  localStorage: Type.Optional(sessionFields.localStorage),
  sessionStorage: Type.Optional(sessionFields.sessionStorage),
} as const

const ran = { attempts: Type.Integer({ minimum: 1 }) } as const
const opened = { ...ran, page: PageInfo } as const

/** The value of an expression that ran without a page. */
export const Evaluated = Type.Object({ result: Value, ...ran })
export type Evaluated = Static<typeof Evaluated>

/** The value of an expression that ran in a page. */
export const PageEvaluated = Type.Object({ result: Value, screenshot: Type.Optional(Screenshot), ...session, ...opened })
export type PageEvaluated = Static<typeof PageEvaluated>

/** A request that a page made. */
export const ExternalRequest = Type.Object({
  url: Type.String(),
  method: Type.String(),
  type: Type.String({ description: 'What the page wanted: document, script, image, fetch and so on.' }),
  status: Status,
  ms: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
  size: Type.Union([Count, Type.Null()], { description: 'Bytes that came back.' }),
  mimeType: Type.Union([Type.String(), Type.Null()]),
  initiator: Type.Optional(Type.String()),
  headers: MapOf(Type.String(), { description: 'Headers of the response.' }),
  responseText: Type.Optional(Type.String()),
  error: Type.Optional(Type.String({ description: 'Why nothing came back.' })),
})

/** The requests that a page made. */
export const RequestsCaptured = Type.Object({
  requests: Type.Array(ExternalRequest),
  total: Count,
  result: Type.Optional(Value),
  ...session,
  ...opened,
})
export type RequestsCaptured = Static<typeof RequestsCaptured>

const Side = Type.Number()

/** An element of a page. */
export const PageElement = Type.Object({
  nodeName: Type.String({ description: 'In upper case.' }),
  attributes: MapOf(Type.String()),
  innerText: Type.String(),
  innerHTML: Type.Optional(Type.String()),
  outerHTML: Type.Optional(Type.String()),
  innerHTMLHash: Type.Optional(Type.String()),
  outerHTMLHash: Type.Optional(Type.String()),
  parentHTMLHash: Type.Optional(Type.String()),
  boundingClientRect: Type.Optional(
    Type.Object({ x: Side, y: Side, width: Side, height: Side, top: Side, right: Side, bottom: Side, left: Side }),
  ),
})

/** The elements that a selector matched. */
export const ElementsSelected = Type.Object({
  elements: Type.Array(PageElement),
  total: Count,
  result: Type.Optional(Value),
  screenshot: Type.Optional(Screenshot),
  ...session,
  ...opened,
})
export type ElementsSelected = Static<typeof ElementsSelected>

const Step = Type.Object({ url: Type.String(), status: Status, result: Value, ...sessionFields })

/** What each load left behind, and what the last one did at the top. */
export const SessionCaptured = Type.Object({ steps: Type.Array(Step), ...sessionFields, ...opened })
export type SessionCaptured = Static<typeof SessionCaptured>

/** What a submitted form left behind. */
export const FormSubmitted = Type.Object({ steps: Type.Optional(Type.Array(Step)), ...sessionFields, ...opened })
export type FormSubmitted = Static<typeof FormSubmitted>

/** Where a screenshot is kept. */
export const ScreenshotCaptured = Type.Object({ screenshot: Screenshot, result: Type.Optional(Value), ...session, ...opened })
export type ScreenshotCaptured = Static<typeof ScreenshotCaptured>

/** A browser operation that goes on: its job, whose `result` holds the answer in the end. */
export const BrowserJobAccepted = Type.Object({
  id: Uuid,
  status: OneOf(['queued', 'running', 'completed', 'failed', 'cancelled']),
  operation: Type.String(),
  createdAt: Instant,
  links: Type.Object({ self: Type.String() }),
})
export type BrowserJobAccepted = Static<typeof BrowserJobAccepted>
