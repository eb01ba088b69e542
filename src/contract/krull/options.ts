import { Type, type Static, type TSchema } from 'typebox'
import { Closed, FreeObject, OneOf } from '../schemas.ts'
import { imageTypes } from '../screenshot/screenshots.ts'

/** A switch that may be left out. */
function Switch<const Default extends boolean>(fallback: Default, description: string) {
  return Type.Optional(Type.Boolean({ default: fallback, description }))
}

const codeLength = { minLength: 1, maxLength: 1_048_576 } as const

const lengthRule = 'must have 1 to 1048576 characters'

/** The page to open. */
export const Url = Type.String({
  pattern: '^https?://',
  description: 'Address of the page.',
  explain: 'must be an address that begins with http:// or https://',
})

/** JavaScript that is evaluated. */
export const Expression = Type.String({ ...codeLength, description: 'JavaScript; functions must be arrow functions.', explain: lengthRule })

/** Several expressions, one after another; each may lead to the next load. */
export const Expressions = Type.Union([Expression, Type.Array(Expression, { maxItems: 100 })], {
  description: 'JavaScript, or a list of at most 100 pieces of it that run one after another, each on the page that the one before has led to.',
  explain: 'must be an expression of 1 to 1048576 characters, or a list of at most 100 of them',
})

/** What finds elements in the page. */
export const Selector = Type.String({ ...codeLength, description: 'CSS selector.', explain: lengthRule })

/** What a form is filled with. */
export const SelectorValuePairs = Type.Array(
  Type.Unsafe<[selector: string, value: string]>({
    type: 'array',
    items: { type: 'string' },
    minItems: 2,
    maxItems: 2,
    explain: 'must be a list of exactly two texts: a selector and a value',
  }),
  { minItems: 1, description: 'Fields to fill, in this order: each item is a selector and its value.' },
)

/** A cookie, as it is set and as it is captured. */
export const Cookie = Closed({
  value: Type.String(),
  domain: Type.Optional(Type.String({ description: 'The host of the page unless given.' })),
  path: Type.Optional(Type.String()),
  expires: Type.Optional(Type.String({ description: 'ISO 8601 time, or seconds since 1970 as text.' })),
  size: Type.Optional(Type.Integer({ minimum: 0 })),
  httpOnly: Type.Optional(Type.Boolean()),
  secure: Type.Optional(Type.Boolean()),
  session: Type.Optional(Type.Boolean()),
})
export type Cookie = Static<typeof Cookie>

/** An object with keys of the user's own and values of one kind. */
export function MapOf<Item extends TSchema>(item: Item, options: object = {}) {
  return Type.Unsafe<Record<string, Static<Item>>>({ type: 'object', additionalProperties: item, ...options })
}

const storageRule = 'Text is stored as it is, anything else as its JSON.'

/** Cookies and storages that are set before the page loads. */
export const storages = {
  cookieStorage: Type.Optional(MapOf(Cookie, { description: 'Cookies to set, by name.' })),
  sessionStorage: Type.Optional(Type.With(FreeObject, { description: `Values to set in sessionStorage, by key. ${storageRule}` })),
  localStorage: Type.Optional(Type.With(FreeObject, { description: `Values to set in localStorage, by key. ${storageRule}` })),
} as const

/** Libraries and arguments that an expression receives. */
export const scripting = {
  jquery: Switch(false, 'Provide jQuery as the property $ of the last argument.'),
  lodash: Switch(false, 'Provide lodash as the property _ of the last argument.'),
  mathjs: Switch(false, 'Provide math.js as the property mathjs of the last argument.'),
  args: Type.Optional(
    Type.Array(Type.Unknown(), {
      maxItems: 100,
      description: 'Arguments for the expression: texts, numbers, objects, lists, booleans or null.',
      explain: 'must be a list of at most 100 arguments',
    }),
  ),
} as const

const HeaderValue = Type.String({ pattern: '^[^\\u0000\\r\\n]*$', explain: 'must be text without line breaks' })

/** How the page is asked for. */
export const loading = {
  retry: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2, description: 'Further attempts after a failed one.', explain: 'must be 0, 1 or 2' }),
  ),
  device: Type.Optional(
    Type.String({ minLength: 1, description: 'Device to emulate: Desktop, or a name from the list of devices. A smartphone unless given.' }),
  ),
  headers: Type.Optional(
    MapOf(HeaderValue, {
      propertyNames: { type: 'string', pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", explain: 'must be the name of an HTTP header' },
      description: 'HTTP headers to set before loading, by name.',
    }),
  ),
} as const

const Criterion = Type.Union([Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), Type.String(codeLength)])

/** When the page counts as loaded, and the way it is reached. */
export const waiting = {
  wait: Type.Optional(
    Type.Union([...Criterion.anyOf, Type.Array(Criterion, { maxItems: 100 })], {
      description:
        'What to wait for: milliseconds, a CSS selector, an XPath that begins with //, an arrow function that becomes true, or a list of those.',
      explain: 'must be whole milliseconds, a selector, an XPath that begins with //, an arrow function, or a list of at most 100 of those',
    }),
  ),
  ready: Type.Optional(
    OneOf(['idle', 'net2', 'winload', 'domload'], {
      description:
        'idle: no connection for 500 ms; net2: no more than two for 500 ms; winload: the load event of the window; domload: DOMContentLoaded.',
    }),
  ),
  visible: Switch(false, 'Wait until the element is in the DOM and visible.'),
  hidden: Switch(false, 'Wait until the element is absent or hidden.'),
  polling: Type.Optional(
    Type.Union([Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), OneOf(['raf', 'mutation'])], {
      default: 'raf',
      description: 'How often an awaited function is tried: every so many milliseconds, at every frame (raf), or at every DOM change (mutation).',
      explain: 'must be whole milliseconds from 1, raf or mutation',
    }),
  ),
  proxy: Type.Optional(
    Type.String({
      pattern: '^(https?|socks[45]?|pac(\\+https?)?)://.',
      description: 'Proxy to go through; for a PAC file its address with pac+ before it.',
      explain: 'must be an address that begins with http://, https://, socks://, socks4://, socks5://, pac+http:// or pac+https://',
    }),
  ),
} as const

/** Captures cookies and storages into the answer. */
export const session = Switch(false, 'Capture cookies, localStorage and sessionStorage, and add them to the answer.')

/** Takes a picture of the page beside what was asked for. */
export const screenshot = Switch(false, 'Take a screenshot of the full page.')

/** How an image is encoded. */
export const image = {
  type: Type.Optional(OneOf(imageTypes, { default: 'jpeg', description: 'Image type.' })),
  quality: Type.Optional(
    Type.Number({
      minimum: 1,
      maximum: 100,
      default: 100,
      description: 'Quality of a jpeg; a fraction is rounded.',
      explain: 'must be a number from 1 to 100',
    }),
  ),
} as const

const side = {
  minimum: 1,
  maximum: 10_000,
  description: 'In CSS pixels; a fraction is rounded. As the device has it unless given.',
  explain: 'must be a number from 1 to 10000',
} as const

/** How the page is laid out for a picture. */
export const canvas = {
  viewportWidth: Type.Optional(Type.Number(side)),
  viewportHeight: Type.Optional(Type.Number(side)),
  background: Type.Optional(
    Type.String({ description: 'CSS background of the body while the picture is taken; the word transparent gives transparency.' }),
  ),
} as const

/** What looks selectors up. */
export const engine = Type.Optional(OneOf(['dom', 'jquery'], { description: 'dom: querySelectorAll; jquery: the selectors of jQuery.' }))

/** Requests of the page that are blocked. */
export const filter = Type.Optional(
  Type.Array(Type.String(), {
    maxItems: 1000,
    description: 'Globs of host names or paths whose requests are blocked: * matches anything but /, ** anything. May lengthen page loads.',
    explain: 'must be a list of at most 1000 globs',
  }),
)

/** What is extracted of each element. */
export const extraction = {
  html: Switch(true, 'Extract innerHTML and outerHTML.'),
  hashtml: Switch(false, 'Extract hashes of innerHTML and outerHTML.'),
  dimension: Switch(true, 'Extract the place and size of the element.'),
} as const

/** Keeps what each request answered. */
export const responseText = Switch(false, 'Include the text of responses.')
