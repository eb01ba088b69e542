import { Problem } from '../../platform/errors.ts'
import { defineCommand, type EachCall, type EachContext, type ValuesOf } from '../command.ts'
import { connectionFlags, serializer } from '../connectionFlags.ts'
import { address } from '../fetch/address.ts'
import { acceptable } from '../fetch/answer.ts'
import { prepare, prepareAnonymous } from '../fetch/connection.ts'
import { multipartBody } from '../fetch/multipart.ts'
import { askPages, type Asking } from '../fetch/pages.ts'
import { readAnswer, readWholeAnswer } from '../fetch/readAnswer.ts'
import { formBody, requestBody, type RequestBody } from '../fetch/requestBody.ts'
import { fields } from '../jsonParams.ts'
import { choice, expression, integer, optional, otherwise } from '../params.ts'
import type { Batch, Row } from '../rows.ts'
import { fault } from '../text/fault.ts'

const args = {
  method: choice('The method', ['get', 'post', 'put', 'patch', 'delete', 'head']),
  url: address('Where to'),
} as const

const flags = {
  ...connectionFlags,
  serializer,
  data: optional(requestBody('The body: lenient JSON, which is sent as JSON with tokens filled inside its strings, or any other text')),
  form: optional(fields('Fields, in lenient JSON, sent url-encoded: a list repeats its name, a nested key stands in brackets')),
  multipart: optional(fields('Parts, in lenient JSON, sent as a multipart form: name to a value, or to {value or base64, filename, contentType}')),
  delay: optional(integer('Milliseconds between repeats and between pages', 0, 86_400_000)),
  while: optional(expression("Asks again while this holds for the answer's first row, which here has _response.* too")),
  paginate: optional(expression("Column or expression that yields the address of the next page from the answer's first row, which here has _response.* too; of a Link header it is the link next; nothing, or false, ends it")),
  pages: otherwise(integer('Pages to ask for at most', 1, 100_000), 100),
} as const

type Flags = ValuesOf<typeof flags>

export const api = defineCommand({
  name: 'api',
  kind: 'expand',
  summary: 'Sends one HTTP request a row and makes rows of the answer',
  args,
  flags,
  examples: [
    'api get https://api.example/items',
    'api post https://api.example/items --data \'{"name": "$name$"}\' --bearer "$CREDENTIALS.items$"',
    'api get https://api.example/items?page=1 --paginate next --pages 10 --delay 200',
  ],
  rowsPerJob: 512,
  requests: ({ flags }) => ({ least: 1, most: flags.while ? null : flags.paginate ? flags.pages : 1 }),

  check({ args, flags }, { name }) {
    const message = bodyFault(args.method, flags)
    return message === undefined ? [] : [fault(name.start, name.end, message, { expected: 'one of --data, --form and --multipart, with post, put, patch or delete' })]
  },

  each: (row, call) => (call.flags.while || call.flags.paginate ? rowsOfPages(row, call) : rowsOfAnswer(row, call)),
})

type Values = EachCall<typeof args, typeof flags>

async function* rowsOfPages(row: Row, { args, flags, context }: Values): AsyncGenerator<Batch> {
  const question = await questionOf(row, { args, flags, context })
  const asking = askingFor(question, flags, row, context)
  yield* askPages(question.url, { while: flags.while, paginate: flags.paginate, pages: flags.pages, delayMs: flags.delay ?? 0 }, asking, context)
}

async function rowsOfAnswer(row: Row, { args, flags, context }: Values): Promise<Batch> {
  const question = await questionOf(row, { args, flags, context })
  const incoming = await askingFor(question, flags, row, context).send(question.url)
  return readWholeAnswer(incoming, { serializer: flags.serializer, response: flags.response })
}

/** Why these values cannot go together. */
function bodyFault(method: string, flags: Flags): string | undefined {
  const given = (['data', 'form', 'multipart'] as const).filter((name) => flags[name] !== undefined)
  if (given.length > 1) return `api can send only one body, and ${given.map((name) => `--${name}`).join(' and ')} are given`
  return given.length === 1 && (method === 'get' || method === 'head') ? `api ${method} has no body, and --${given[0]} is given` : undefined
}

function bodyOf(flags: Flags, row: Row, { lookup }: EachContext): RequestBody | Promise<RequestBody> | undefined {
  if (flags.data) return flags.data(row, lookup)
  if (flags.form) return formBody(flags.form(row, lookup))
  return flags.multipart ? multipartBody(flags.multipart(row, lookup)) : undefined
}

interface Question {
  readonly method: string
  readonly url: string
  readonly body: RequestBody | undefined
}

async function questionOf(row: Row, { args, flags, context }: Values): Promise<Question> {
  const message = bodyFault(args.method, flags)
  if (message !== undefined) throw new Problem('unprocessable', `${message}.`)
  const url = args.url(row, context.lookup)
  const body = bodyOf(flags, row, context)
  return { method: args.method, url, body: body && (await body) }
}

/** Pages at another origin than the first get nothing that identifies the sender: the other side chose their address. */
function askingFor({ method, url: first, body }: Question, flags: Flags, row: Row, context: EachContext): Asking {
  const sent = body && { headers: { 'content-type': body.contentType }, body: body.body }
  return {
    async send(url) {
      const isOurs = url === first || new URL(url).origin === new URL(first).origin
      if (!isOurs && body) throw new Problem('target_forbidden', `The next page is at ${new URL(url).origin}, and a body is not sent to another origin than the first.`)
      const draft = { method, url, ...sent }
      const prepared = isOurs ? prepare(draft, flags, row, context) : prepareAnonymous(draft, flags, row, context)
      const incoming = await context.outside.send(prepared instanceof Promise ? await prepared : prepared, context.stop)
      if (incoming.status >= 400) await acceptable(incoming, flags)
      return incoming
    },
    read: (incoming) => readAnswer(incoming, { serializer: flags.serializer, response: flags.response }),
  }
}
