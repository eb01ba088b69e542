import { exactly } from '../bounds.ts'
import { expressionFlags, pageFlags } from '../browserFlags.ts'
import { defineCommand } from '../command.ts'
import { choice, filledText, integer, optional, otherwise, text } from '../params.ts'

export const screenshot = defineCommand({
  name: 'screenshot',
  kind: 'expand',
  summary: 'Takes a screenshot of a page or of an element: one row _screenshot.{hash,type,width,height,bytes}',
  args: { url: filledText('The page') },
  flags: {
    ...pageFlags,
    ...expressionFlags,
    selector: optional(filledText('The first element that this CSS selector matches')),
    engine: optional(choice('Who matches the selector', ['dom', 'jquery'])),
    expression: optional(filledText('JavaScript to run in the page first; functions must be arrow functions')),
    type: otherwise(choice('Type of the image', ['png', 'jpeg', 'webp']), 'jpeg'),
    quality: otherwise(integer('Quality of a jpeg', 1, 100), 100),
    viewportWidth: optional(integer('Width of the window', 1, 10_000)),
    viewportHeight: optional(integer('Height of the window', 1, 10_000)),
    background: optional(text('Background of the body; transparent for none')),
  },
  examples: ['screenshot https://shop.example', 'screenshot https://shop.example --selector "#logo" --type png --background transparent'],
  requests: () => exactly(1),
  rows: (input) => input,
})
