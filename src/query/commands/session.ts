import { expressionFlags, pageFlags } from '../browserFlags.ts'
import { defineCommand } from '../command.ts'
import { filledText, rest } from '../params.ts'

export const session = defineCommand({
  name: 'session',
  kind: 'expand',
  summary: 'Acts in a page across loads: a row a load, with its cookies and storages',
  args: { url: filledText('The page'), expressions: rest(filledText('What to do after each load; functions must be arrow functions')) },
  flags: { ...pageFlags, ...expressionFlags },
  examples: ["session https://shop.example \"() => document.querySelector('a').click()\"", 'session https://shop.example "() => location.reload()" "() => document.title" --device Desktop'],
})
