import { exactly } from '../bounds.ts'
import { canvasFlags, captureFlags, expressionFlags, filterFlag, pageFlags } from '../browserFlags.ts'
import { capturedCells, pageCells } from '../browser/answerRows.ts'
import { browse } from '../browser/browse.ts'
import { given, pageOptions, scriptOptions } from '../browser/pageOptions.ts'
import { script } from '../browser/script.ts'
import { withCells } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { rowOf } from '../dataRows.ts'
import { address } from '../fetch/address.ts'
import { boolean, choice, filledText, optional, otherwise } from '../params.ts'
import { inBatches } from '../stream.ts'

export const open = defineCommand({
  name: 'open',
  kind: 'expand',
  summary: 'Opens a page in a browser: a row an element',
  args: { url: address('The page') },
  flags: {
    ...pageFlags,
    ...expressionFlags,
    ...captureFlags,
    ...canvasFlags,
    ...filterFlag,
    selector: optional(filledText('Only the elements that this CSS selector matches')),
    engine: optional(choice('Who matches the selector', ['dom', 'jquery'])),
    expression: optional(script('JavaScript to run in the page first; functions must be arrow functions')),
    html: otherwise(boolean('Adds innerHTML and outerHTML'), false),
    hashtml: otherwise(boolean('Adds hashes of innerHTML and outerHTML'), false),
    dimension: otherwise(boolean('Adds the place of each element'), true),
  },
  examples: ['open https://shop.example --html', 'open https://shop.example --selector "a.price" --device Desktop --ready idle'],
  queue: 'browser',
  rowsPerJob: 10,
  requests: () => exactly(1),

  async *each(row, { args, flags, context }) {
    const { lookup } = context
    const { selector, expression, engine, html, hashtml, dimension, session, screenshot, type, quality, viewportWidth, viewportHeight, background, filter } = flags
    const answer = await browse('page.selector', {
      url: args.url(row, lookup),
      ...pageOptions(flags, row, lookup),
      ...scriptOptions(flags, row, lookup),
      ...given({ selector: selector?.(row, lookup) ?? '*', expression: expression?.(row, lookup), engine, html, hashtml, dimension, session, screenshot, type, quality }),
      ...given({ viewportWidth, viewportHeight, background }),
      ...(filter.length > 0 ? { filter } : {}),
    }, context)
    const beside = withCells(pageCells(answer.page), capturedCells(answer))
    yield* inBatches(answer.elements.map((element) => withCells(rowOf(element), beside)))
  },
})
