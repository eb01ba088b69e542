import { exactly } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { connectionFlags } from '../connectionFlags.ts'
import { rowsOfData } from '../dataRows.ts'
import { address } from '../fetch/address.ts'
import { acceptable, responseColumns } from '../fetch/answer.ts'
import { prepare } from '../fetch/connection.ts'
import { jsonOf } from '../fetch/text.ts'
import { dataOf, isExplained } from '../fetch/graphqlAnswer.ts'
import { json } from '../jsonParams.ts'
import { filledText, optional } from '../params.ts'
import { mapRows } from '../stream.ts'

export const graphql = defineCommand({
  name: 'graphql',
  kind: 'expand',
  summary: 'Asks a GraphQL endpoint once a row and makes rows of its data',
  args: {
    url: address('The endpoint'),
    query: filledText('The GraphQL query; $name is a variable of it and $name$ a token'),
  },
  flags: { ...connectionFlags, variables: optional(json('Variables, in lenient JSON')) },
  examples: [
    "graphql https://api.example/graphql '{ items { name } }'",
    "graphql https://api.example/graphql 'query($id: ID) { item(id: $id) { name } }' --variables '{id: \"$id$\"}'",
  ],
  rowsPerJob: 20,
  requests: () => exactly(1),

  async *each(row, { args, flags, context }) {
    const { lookup } = context
    const body = JSON.stringify({ query: args.query(row, lookup), variables: flags.variables?.(row, lookup) })
    const headers = { accept: 'application/graphql-response+json, application/json', 'content-type': 'application/json' }
    const request = await prepare({ method: 'POST', url: args.url(row, lookup), headers, body }, flags, row, context)
    const incoming = await context.outside.send(request, context.signal)
    if (!isExplained(incoming)) await acceptable(incoming, flags)
    const rows = rowsOfData(dataOf(await jsonOf(incoming), incoming))
    yield* flags.response ? mapRows(rows, (made) => ({ ...made, ...responseColumns(incoming) })) : rows
  },
})
