import { exactly } from '../bounds.ts'
import { captureFlags, expressionFlags, filterFlag, pageFlags } from '../browserFlags.ts'
import { defineCommand } from '../command.ts'
import { boolean, choice, filledText, optional, otherwise } from '../params.ts'

export const open = defineCommand({
  name: 'open',
  kind: 'expand',
  summary: 'Opens a page in a browser: a row an element',
  args: { url: filledText('The page') },
  flags: {
    ...pageFlags,
    ...expressionFlags,
    ...captureFlags,
    ...filterFlag,
    selector: optional(filledText('Only the elements that this CSS selector matches')),
    engine: optional(choice('Who matches the selector', ['dom', 'jquery'])),
    expression: optional(filledText('JavaScript to run in the page first; functions must be arrow functions')),
    html: otherwise(boolean('Adds innerHTML and outerHTML'), false),
    hashtml: otherwise(boolean('Adds hashes of innerHTML and outerHTML'), false),
    dimension: otherwise(boolean('Adds the place of each element'), true),
  },
  examples: ['open https://shop.example --html', 'open https://shop.example --selector "a.price" --device Desktop --ready idle'],
  requests: () => exactly(1),
})
