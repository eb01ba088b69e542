import { expressionFlags, pageFlags } from '../browserFlags.ts'
import { browse } from '../browser/browse.ts'
import { pageOptions, scriptOptions } from '../browser/pageOptions.ts'
import { script } from '../browser/script.ts'
import { defineCommand } from '../command.ts'
import { rowsOfData } from '../dataRows.ts'
import { address } from '../fetch/address.ts'
import { rest } from '../params.ts'

export const session = defineCommand({
  name: 'session',
  kind: 'expand',
  summary: 'Acts in a page across loads: a row a load, with its cookies and storages',
  args: { url: address('The page'), expressions: rest(script('What to do after each load; functions must be arrow functions')) },
  flags: { ...pageFlags, ...expressionFlags },
  examples: ["session https://shop.example \"() => document.querySelector('a').click()\"", 'session https://shop.example "() => location.reload()" "() => document.title" --device Desktop'],
  queue: 'browser',
  neverCached: true,

  async *each(row, { args, flags, context }) {
    const { lookup } = context
    const expression = args.expressions.map((one) => one(row, lookup))
    const draft = { url: args.url(row, lookup), expression, ...pageOptions(flags, row, lookup), ...scriptOptions(flags, row, lookup) }
    yield* rowsOfData((await browse('page.session', draft, context)).steps)
  },
})
