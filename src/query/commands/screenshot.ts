import { exactly } from '../bounds.ts'
import { canvasFlags, captureFlags, expressionFlags, pageFlags } from '../browserFlags.ts'
import { pictureOf } from '../browser/answerRows.ts'
import { browse } from '../browser/browse.ts'
import { given, pageOptions, scriptOptions } from '../browser/pageOptions.ts'
import { script } from '../browser/script.ts'
import { defineCommand } from '../command.ts'
import { rowOf } from '../dataRows.ts'
import { address } from '../fetch/address.ts'
import { choice, filledText, optional } from '../params.ts'

export const screenshot = defineCommand({
  name: 'screenshot',
  kind: 'expand',
  summary: 'Takes a screenshot of a page or of an element: one row _screenshot.{hash,type,width,height,bytes}',
  args: { url: address('The page') },
  flags: {
    ...pageFlags,
    ...expressionFlags,
    selector: optional(filledText('The first element that this CSS selector matches')),
    engine: optional(choice('Who matches the selector', ['dom', 'jquery'])),
    expression: optional(script('JavaScript to run in the page first; functions must be arrow functions')),
    type: captureFlags.type,
    quality: captureFlags.quality,
    ...canvasFlags,
  },
  examples: ['screenshot https://shop.example', 'screenshot https://shop.example --selector "#logo" --type png --background transparent'],
  queue: 'browser',
  rowsPerJob: 10,
  requests: () => exactly(1),
  rows: (input) => input,

  async *each(row, { args, flags, context }) {
    const { lookup } = context
    const { selector, expression, engine, type, quality, viewportWidth, viewportHeight, background } = flags
    const { screenshot: taken } = await browse('page.screenshot', {
      url: args.url(row, lookup),
      ...pageOptions(flags, row, lookup),
      ...scriptOptions(flags, row, lookup),
      ...given({ selector: selector?.(row, lookup), expression: expression?.(row, lookup), engine, type, quality, viewportWidth, viewportHeight, background }),
    }, context)
    yield [rowOf({ _screenshot: pictureOf(taken) })]
  },
})
