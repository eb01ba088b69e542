import { device, polling } from './browser/pageParams.ts'
import { fields, list } from './jsonParams.ts'
import { boolean, choice, filledText, number, optional, otherwise, repeatable, text } from './params.ts'

/** How a page is loaded: the options of the browser operations, under the same names. */
export const pageFlags = {
  device: optional(device('Device to emulate: Desktop, or a name that the command devices lists')),
  headers: optional(fields('Headers to send, in lenient JSON')),
  cookieStorage: optional(fields('Cookies to set, by name')),
  localStorage: optional(fields('Values to put into the local storage')),
  sessionStorage: optional(fields('Values to put into the session storage')),
  wait: repeatable(filledText('Milliseconds, a CSS selector, an XPath that begins with //, or an arrow function to wait for')),
  ready: optional(choice('When the page counts as loaded', ['idle', 'net2', 'winload', 'domload'])),
  visible: otherwise(boolean('Wait until the element is there and visible'), false),
  hidden: otherwise(boolean('Wait until the element is gone or hidden'), false),
  polling: optional(polling('raf, mutation, or milliseconds between looks')),
  proxy: optional(filledText('URI of an http, https, socks, socks4, socks5 or pac proxy')),
} as const

/** What an expression in a page is given. */
export const expressionFlags = {
  args: optional(list('Values that the expression receives, as a JSON list', 100)),
  jquery: otherwise(boolean('Provides jQuery as $'), false),
  lodash: otherwise(boolean('Provides lodash as _'), false),
  mathjs: otherwise(boolean('Provides mathjs as mathjs'), false),
} as const

/** What is taken down beside the rows. */
export const captureFlags = {
  session: otherwise(boolean('Adds cookies and both storages to the rows'), false),
  screenshot: otherwise(boolean('Takes a screenshot of the whole page'), false),
  type: otherwise(choice('Type of the image', ['png', 'jpeg', 'webp']), 'jpeg'),
  quality: otherwise(number('Quality of a jpeg', 1, 100), 100),
} as const

/** How large the page is laid out, and what it stands on in a picture. */
export const canvasFlags = {
  viewportWidth: optional(number('Width of the window', 1, 10_000)),
  viewportHeight: optional(number('Height of the window', 1, 10_000)),
  background: optional(text('Background of the body in a picture; transparent for none')),
} as const

/** Requests that are not to be made. */
export const filterFlag = { filter: repeatable(text('Host or path glob whose requests are blocked')) } as const
