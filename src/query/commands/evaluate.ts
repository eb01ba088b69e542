import { exactly } from '../bounds.ts'
import { captureFlags, expressionFlags, filterFlag, pageFlags } from '../browserFlags.ts'
import { defineCommand } from '../command.ts'
import { filledText, optional } from '../params.ts'

export const evaluate = defineCommand({
  name: 'evaluate',
  kind: 'expand',
  summary: 'Runs JavaScript, in a page or without one, and flattens its value to rows',
  args: { expression: filledText('The expression; functions must be arrow functions') },
  flags: { ...pageFlags, ...expressionFlags, ...captureFlags, ...filterFlag, url: optional(filledText('The page to run it in')) },
  examples: ['evaluate "1 + 1"', 'evaluate "() => document.title" --url https://shop.example'],
  requests: ({ flags }) => exactly(flags.url ? 1 : 0),
})
