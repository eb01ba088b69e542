import { boolean, choice, filledText, integer, json, optional, otherwise, repeatable, text } from './params.ts'

/** How a page is loaded: the options of the browser operations, under the same names. */
export const pageFlags = {
  device: optional(text('Device to emulate: Desktop, or a name that the command devices lists')),
  headers: optional(json('Headers to send, in lenient JSON')),
  cookieStorage: optional(json('Cookies to set, by name')),
  localStorage: optional(json('Values to put into the local storage')),
  sessionStorage: optional(json('Values to put into the session storage')),
  wait: repeatable(filledText('Milliseconds, a CSS selector, an XPath that begins with //, or an arrow function to wait for')),
  ready: optional(choice('When the page counts as loaded', ['idle', 'net2', 'winload', 'domload'])),
  visible: otherwise(boolean('Wait until the element is there and visible'), false),
  hidden: otherwise(boolean('Wait until the element is gone or hidden'), false),
  polling: optional(text('raf, mutation, or milliseconds between looks')),
  proxy: optional(filledText('URI of an http, https, socks, socks4, socks5 or pac proxy')),
} as const

/** What an expression in a page is given. */
export const expressionFlags = {
  args: optional(json('Values that the expression receives, as a JSON list')),
  jquery: otherwise(boolean('Provides jQuery as $'), false),
  lodash: otherwise(boolean('Provides lodash as _'), false),
  mathjs: otherwise(boolean('Provides mathjs as mathjs'), false),
} as const

/** What is taken down beside the rows. */
export const captureFlags = {
  session: otherwise(boolean('Adds cookies and both storages to the rows'), false),
  screenshot: otherwise(boolean('Takes a screenshot of the whole page'), false),
  type: otherwise(choice('Type of the image', ['png', 'jpeg', 'webp']), 'jpeg'),
  quality: otherwise(integer('Quality of a jpeg', 1, 100), 100),
} as const

/** Requests that are not to be made. */
export const filterFlag = { filter: repeatable(text('Host or path glob whose requests are blocked')) } as const
