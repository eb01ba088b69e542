import { pageFlags } from '../browserFlags.ts'
import { defineCommand } from '../command.ts'
import { filledText, repeatable } from '../params.ts'

export const form = defineCommand({
  name: 'form',
  kind: 'expand',
  summary: 'Fills in and submits a form: one row with the cookies and storages behind it',
  args: { url: filledText('The page') },
  flags: {
    ...pageFlags,
    set: repeatable(filledText('selector=value, split at the last = outside brackets and quotes')),
    submit: filledText('CSS selector of what submits the form'),
  },
  examples: ['form https://shop.example/login --set "#user=ada" --submit "#go"', 'form https://shop.example/login --set "#user=ada" --set "#password=$CREDENTIALS.shop$" --submit "button[type=submit]"'],
  rows: (input) => input,
})
