import { defineCommand } from '../command.ts'
import { connectionFlags, serializer } from '../connectionFlags.ts'
import { choice, expression, filledText, integer, json, optional, otherwise } from '../params.ts'

export const api = defineCommand({
  name: 'api',
  kind: 'expand',
  summary: 'Sends one HTTP request a row and makes rows of the answer',
  args: {
    method: choice('The method', ['get', 'post', 'put', 'patch', 'delete', 'head']),
    url: filledText('Where to'),
  },
  flags: {
    ...connectionFlags,
    serializer,
    data: optional(filledText('The body: text, or lenient JSON, which is sent as JSON')),
    form: optional(json('Fields, in lenient JSON, sent url-encoded')),
    multipart: optional(json('Parts, in lenient JSON, sent as a multipart form')),
    delay: optional(integer('Milliseconds between repeats')),
    while: optional(expression("Asks again while this holds for the answer's first row")),
    paginate: optional(expression('Column or expression that yields the address of the next page')),
    pages: otherwise(integer('Pages to ask for at most', 1, 100_000), 100),
  },
  examples: ['api get https://api.example/items', 'api post https://api.example/items --data \'{"name": "$name$"}\' --bearer "$CREDENTIALS.items$"'],
})
