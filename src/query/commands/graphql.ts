import { defineCommand } from '../command.ts'
import { connectionFlags } from '../connectionFlags.ts'
import { filledText, json, optional } from '../params.ts'

export const graphql = defineCommand({
  name: 'graphql',
  kind: 'expand',
  summary: 'Asks a GraphQL endpoint once a row and makes rows of its data',
  args: { url: filledText('The endpoint'), query: filledText('The GraphQL query') },
  flags: { ...connectionFlags, variables: optional(json('Variables, in lenient JSON')) },
  examples: ["graphql https://api.example/graphql '{ items { name } }'", "graphql https://api.example/graphql 'query($id: ID) { item(id: $id) { name } }' --variables '{id: \"$id$\"}'"],
})
