import { exactly } from '../bounds.ts'
import { expressionFlags, pageFlags } from '../browserFlags.ts'
import { defineCommand } from '../command.ts'
import { boolean, filledText, optional, otherwise } from '../params.ts'

export const requests = defineCommand({
  name: 'requests',
  kind: 'expand',
  summary: 'Opens a page in a browser: a row a request that it makes',
  args: { url: filledText('The page') },
  flags: {
    ...pageFlags,
    ...expressionFlags,
    expression: optional(filledText('JavaScript to run in the page; functions must be arrow functions')),
    responseText: otherwise(boolean('Adds the text of each answer'), false),
    session: otherwise(boolean('Adds cookies and both storages to the rows'), false),
  },
  examples: ['requests https://shop.example', 'requests https://shop.example --ready idle --responseText'],
  requests: () => exactly(1),
})
