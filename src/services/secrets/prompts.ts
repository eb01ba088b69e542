import type { Static } from 'typebox'
import type { Prompt, PromptDraft } from '../../contract/secrets/prompts.ts'
import { Prisma, type Prompt as PromptRow } from '../../platform/prisma/generated/client.ts'
import { oneRow } from '../../platform/prisma/oneRow.ts'
import type { HandlersOf } from '../handler.ts'
import type { House } from '../house.ts'
import { Records } from '../records.ts'

type Ids = `secrets.prompt.${'list' | 'create' | 'read' | 'update' | 'delete'}`

/** Prompts: named texts for language models. */
export function promptHandlers(house: House): HandlersOf<Ids> {
  const prompts = new Records<PromptRow, Static<typeof PromptDraft>, Static<typeof Prompt>>(house, {
    noun: 'prompt',
    key: 'name',
    table: (connection) => connection.prompt,
    stored: oneRow('prompts', Prisma.PromptScalarFieldEnum),
    present,
  })
  const taken = (name: string): string => `There is a prompt ${JSON.stringify(name)} already; update that one or choose another name.`

  return {
    'secrets.prompt.list': ({ query }) => prompts.list(query),
    'secrets.prompt.read': ({ params }) => prompts.read(params.name),
    'secrets.prompt.create': (request) => prompts.create(request, request.body, taken(request.body.name)),
    'secrets.prompt.update': (request) => prompts.update(request, request.params.name, request.body),
    'secrets.prompt.delete': (request) => prompts.delete(request, request.params.name),
  }
}

function present(row: PromptRow): Static<typeof Prompt> {
  return {
    id: row.id,
    name: row.name,
    prompt: row.prompt,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
