import { exactly } from '../bounds.ts'
import { expressionFlags, pageFlags } from '../browserFlags.ts'
import { capturedCells } from '../browser/answerRows.ts'
import { browse } from '../browser/browse.ts'
import { given, pageOptions, scriptOptions } from '../browser/pageOptions.ts'
import { script } from '../browser/script.ts'
import { withCells } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { rowOf } from '../dataRows.ts'
import { address } from '../fetch/address.ts'
import { boolean, optional, otherwise } from '../params.ts'
import { inBatches } from '../stream.ts'

export const requests = defineCommand({
  name: 'requests',
  kind: 'expand',
  summary: 'Opens a page in a browser: a row a request that it makes',
  args: { url: address('The page') },
  flags: {
    ...pageFlags,
    ...expressionFlags,
    expression: optional(script('JavaScript to run in the page; functions must be arrow functions')),
    responseText: otherwise(boolean('Adds the text of each answer'), false),
    session: otherwise(boolean('Adds cookies and both storages to the rows'), false),
  },
  examples: ['requests https://shop.example', 'requests https://shop.example --ready idle --responseText'],
  queue: 'browser',
  requests: () => exactly(1),

  async *each(row, { args, flags, context }) {
    const { lookup } = context
    const { expression, responseText, session } = flags
    const answer = await browse('requests', {
      url: args.url(row, lookup),
      ...pageOptions(flags, row, lookup),
      ...scriptOptions(flags, row, lookup),
      ...given({ expression: expression?.(row, lookup), responseText, session }),
    }, context)
    const beside = capturedCells(answer)
    yield* inBatches(answer.requests.map((request) => withCells(rowOf(request), beside)))
  },
})
