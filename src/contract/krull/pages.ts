import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { Closed } from '../schemas.ts'
import { imageStreams } from '../screenshot/screenshots.ts'
import {
  canvas, engine, Expression, Expressions, extraction, filter, image, loading, responseText, screenshot, scripting, Selector,
  SelectorValuePairs, session, storages, Url, waiting,
} from './options.ts'
import {
  BrowserJobAccepted, ElementsSelected, Evaluated, FormSubmitted, PageEvaluated, RequestsCaptured, ScreenshotCaptured, SessionCaptured,
} from './replies.ts'

/** What every operation takes that opens a page and may run JavaScript in it. */
const scriptedPage = { ...storages, ...scripting, ...loading, ...waiting } as const

const Preparation = Type.Optional(Type.With(Expression, { description: 'JavaScript to run in the page first; functions must be arrow functions.' }))

/** An expression to evaluate without a page. */
export const ExpressionDraft = Closed({ expression: Expression, ...scripting })
export type ExpressionDraft = Static<typeof ExpressionDraft>

/** A page whose requests are captured. */
export const RequestsDraft = Closed({ url: Url, expression: Preparation, responseText, session, ...scriptedPage })
export type RequestsDraft = Static<typeof RequestsDraft>

/** An expression to evaluate in a page. */
export const PageExpressionDraft = Closed({ url: Url, expression: Expression, screenshot, session, ...image, filter, ...scriptedPage })
export type PageExpressionDraft = Static<typeof PageExpressionDraft>

/** A selector to look up in a page. */
export const SelectorDraft = Closed({
  url: Url,
  selector: Selector,
  screenshot,
  session,
  ...image,
  engine,
  expression: Preparation,
  ...extraction,
  ...scriptedPage,
})
export type SelectorDraft = Static<typeof SelectorDraft>

/** A page to load and expressions that lead on from it. */
export const SessionDraft = Closed({ url: Url, expression: Expressions, ...scriptedPage })
export type SessionDraft = Static<typeof SessionDraft>

/** Largest size in UTF-8 of all expressions of a session. */
export const maxSessionBytes = 16 * 2 ** 20

const Target = Type.Optional(Type.With(Selector, { description: 'CSS selector; its first match is captured, or the page without one.' }))

/** A page, or an element of it, to take a picture of. */
export const ScreenshotDraft = Closed({
  url: Url,
  selector: Target,
  ...image,
  ...canvas,
  engine,
  expression: Preparation,
  session,
  ...scriptedPage,
})
export type ScreenshotDraft = Static<typeof ScreenshotDraft>

/** A form to fill and submit. */
export const FormDraft = Closed({
  url: Url,
  selectorValuePairs: SelectorValuePairs,
  submitSelector: Type.With(Selector, { description: 'CSS selector of what is clicked to submit.' }),
  ...waiting,
})
export type FormDraft = Static<typeof FormDraft>

/** The options of a screenshot that is answered as an image. */
export const ImageQuery = Closed({ url: Url, selector: Target, ...canvas, quality: image.quality, engine, device: loading.device })
export type ImageQuery = Static<typeof ImageQuery>

const url = 'https://example.com/'
const accepted = { body: BrowserJobAccepted, location: '/v1/jobs/browser/:id' } as const
const async = '`Prefer: respond-async` answers 202 with the job at once.'

/** The operations that a browser carries out. */
export const pages = defineOperations({
  'krull.expression.evaluate': {
    method: 'POST',
    path: '/v1/krull/evaluate',
    summary: 'Evaluate a JavaScript expression',
    description: `Runs without a page and without a network. An expression that throws is a 422 \`expression_failed\`. ${async}`,
    scope: 'browser:run',
    startsWork: true,
    body: ExpressionDraft,
    reply: { status: 200, body: Evaluated, accepted },
    example: { expression: '(a, b) => a + b', args: [1, 2] },
  },
  'krull.page.requests': {
    method: 'POST',
    path: '/v1/krull/requests',
    summary: 'Capture all external requests',
    description: `Answers a summary of every request that the page makes; slower than the other operations. ${async}`,
    scope: 'browser:run',
    startsWork: true,
    body: RequestsDraft,
    reply: { status: 200, body: RequestsCaptured, accepted },
    example: { url, ready: 'idle', responseText: true },
  },
  'krull.page.evaluate': {
    method: 'POST',
    path: '/v1/krull/page/evaluate',
    summary: 'Execute JavaScript within a page',
    description: `An expression that throws is a 422 \`expression_failed\`. A page that answers 404 is still a page: see \`page.status\`. ${async}`,
    scope: 'browser:run',
    startsWork: true,
    body: PageExpressionDraft,
    reply: { status: 200, body: PageEvaluated, accepted },
    example: { url, expression: '() => document.title', device: 'Desktop', filter: ['ads.example', '**/*.woff2'] },
  },
  'krull.page.selector': {
    method: 'POST',
    path: '/v1/krull/page/selector',
    summary: 'Evaluate a CSS selector',
    description: `A selector that matches nothing answers an empty list. ${async}`,
    scope: 'browser:run',
    startsWork: true,
    body: SelectorDraft,
    reply: { status: 200, body: ElementsSelected, accepted },
    example: { url, selector: 'a[href]', wait: ['body', 100], html: false },
  },
  'krull.page.session': {
    method: 'POST',
    path: '/v1/krull/page/session',
    summary: 'Navigate and capture a page session',
    description: `Loads the page, runs each expression, waits for the load that follows, and captures cookies and storages every time. Its expressions may have 16 MiB in all. ${async}`,
    scope: 'browser:run',
    startsWork: true,
    body: SessionDraft,
    maxBytes: maxSessionBytes + 8 * 2 ** 20, // JSON needs room to write them, and they do not come alone
    reply: { status: 200, body: SessionCaptured, accepted },
    example: { url, expression: ["() => document.querySelector('a').click()"], localStorage: { theme: 'dark' } },
  },
  'krull.page.screenshot': {
    method: 'POST',
    path: '/v1/krull/page/screenshot',
    summary: 'Capture a screenshot',
    description: `Captures the first element that the selector matches; one that matches nothing is a 422 \`selector_not_found\`. ${async}`,
    scope: 'browser:run',
    startsWork: true,
    body: ScreenshotDraft,
    reply: { status: 200, body: ScreenshotCaptured, accepted },
    example: { url, selector: 'h1', type: 'png', viewportWidth: 1280, viewportHeight: 800, background: 'transparent' },
  },
  'krull.page.form': {
    method: 'POST',
    path: '/v1/krull/page/form',
    summary: 'Populate and submit a form',
    description: `Answers the cookies and storages after the submission. A selector that matches nothing is a 422 \`selector_not_found\`. ${async}`,
    scope: 'browser:run',
    startsWork: true,
    body: FormDraft,
    reply: { status: 200, body: FormSubmitted, accepted },
    example: { url, selectorValuePairs: [['#user', 'ada'], ['#password', 'wonderland']], submitSelector: 'button[type=submit]', ready: 'winload' },
  },
  'krull.screenshot.stream': {
    method: 'GET',
    path: '/v1/krull/screenshot',
    summary: 'Capture a screenshot from a selector',
    description: 'Answers the image of the first element that the selector matches; one that matches nothing is a 422 `selector_not_found`.',
    scope: 'browser:run',
    startsWork: true,
    query: ImageQuery,
    reply: { status: 200, stream: imageStreams },
  },
})
