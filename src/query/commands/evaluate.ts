import { exactly } from '../bounds.ts'
import { captureFlags, expressionFlags, filterFlag, pageFlags } from '../browserFlags.ts'
import { capturedCells } from '../browser/answerRows.ts'
import { browse } from '../browser/browse.ts'
import { given, pageOptions, scriptOptions } from '../browser/pageOptions.ts'
import { script } from '../browser/script.ts'
import { withCells } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { rowsOfData } from '../dataRows.ts'
import { address } from '../fetch/address.ts'
import { optional } from '../params.ts'
import { mapRows } from '../stream.ts'

export const evaluate = defineCommand({
  name: 'evaluate',
  kind: 'expand',
  summary: 'Runs JavaScript, in a page or without one, and flattens its value to rows',
  args: { expression: script('The expression; functions must be arrow functions') },
  flags: { ...pageFlags, ...expressionFlags, ...captureFlags, ...filterFlag, url: optional(address('The page to run it in')) },
  examples: ['evaluate "1 + 1"', 'evaluate "() => document.title" --url https://shop.example'],
  queue: 'browser',
  rowsPerJob: 10,
  requests: ({ flags }) => exactly(flags.url ? 1 : 0),

  async *each(row, { args, flags, context }) {
    const { lookup } = context
    const draft = { expression: args.expression(row, lookup), ...scriptOptions(flags, row, lookup) }
    const url = flags.url?.(row, lookup)
    if (!url) return yield* rowsOfData((await browse('evaluate', draft, context)).result)
    const { session, screenshot, type, quality, filter } = flags
    const answer = await browse('page.evaluate', { url, ...draft, ...pageOptions(flags, row, lookup), ...given({ session, screenshot, type, quality, filter }) }, context)
    const beside = capturedCells(answer)
    yield* mapRows(rowsOfData(answer.result), (made) => withCells(made, beside))
  },
})
