import { browse } from '../browser/browse.ts'
import { fieldValue } from '../browser/fieldValue.ts'
import { pageOptions } from '../browser/pageOptions.ts'
import { pageFlags } from '../browserFlags.ts'
import { defineCommand } from '../command.ts'
import { rowOf } from '../dataRows.ts'
import { address } from '../fetch/address.ts'
import { filledText, repeatable } from '../params.ts'
import { fault } from '../text/fault.ts'

export const form = defineCommand({
  name: 'form',
  kind: 'expand',
  summary: 'Fills in and submits a form: one row with the cookies and storages behind it',
  args: { url: address('The page') },
  flags: {
    ...pageFlags,
    set: repeatable(fieldValue('selector=value, split at the last = outside brackets and quotes')),
    submit: filledText('CSS selector of what submits the form'),
  },
  examples: ['form https://shop.example/login --set "#user=ada" --submit "#go"', 'form https://shop.example/login --set "#user=ada" --set "#password=$CREDENTIALS.shop$" --submit "button[type=submit]"'],
  queue: 'browser',
  neverCached: true,
  rows: (input) => input,

  check({ flags }, { name }) {
    return flags.set.length > 0 ? [] : [fault(name.start, name.end, 'form needs at least one --set', { expected: '--set "#field=value"' })]
  },

  async *each(row, { args, flags, context }) {
    const { lookup } = context
    const selectorValuePairs = flags.set.map((field) => field(row, lookup))
    const draft = { url: args.url(row, lookup), selectorValuePairs, submitSelector: flags.submit(row, lookup), ...pageOptions(flags, row, lookup) }
    const { page, cookieStorage, localStorage, sessionStorage } = await browse('page.form', draft, context)
    yield [rowOf({ url: page.url, status: page.status, cookieStorage, localStorage, sessionStorage })]
  },
})
