import { Type } from 'typebox'
import { defineOperations } from '../define.ts'
import { ByLabel, Closed, Label, ListOf, Page, Stamps, Version } from '../schemas.ts'

const PromptText = Type.String({ minLength: 1, maxLength: 10_000, description: 'Text for a language model; kept as it is.' })

/** A prompt as it is created. */
export const PromptDraft = Closed({ name: Label, prompt: PromptText })

/** A prompt as it is answered. */
export const Prompt = Type.Object({ ...Stamps, version: Version, name: Type.String(), prompt: Type.String() })

/** The operations on prompts: texts for language models that queries refer to by name. */
export const prompts = defineOperations({
  'secrets.prompt.list': {
    method: 'GET',
    path: '/v1/secrets/prompts',
    summary: 'Retrieve all prompts',
    scope: 'secrets:read',
    query: Page,
    reply: { status: 200, body: ListOf(Prompt) },
  },
  'secrets.prompt.create': {
    method: 'POST',
    path: '/v1/secrets/prompts',
    summary: 'Create a new prompt',
    description: 'A prompt is not secret and comes back in full. A name that is taken is a 409.',
    scope: 'secrets:write',
    body: PromptDraft,
    reply: { status: 201, body: Prompt, location: '/v1/secrets/prompts/:name' },
    example: { name: 'summarize', prompt: 'Summarize the page in three sentences.' },
  },
  'secrets.prompt.read': {
    method: 'GET',
    path: '/v1/secrets/prompts/:name',
    summary: 'Retrieve a prompt',
    scope: 'secrets:read',
    origin: 'beyond',
    params: ByLabel,
    reply: { status: 200, body: Prompt },
  },
  'secrets.prompt.update': {
    method: 'PUT',
    path: '/v1/secrets/prompts/:name',
    summary: 'Update a prompt',
    description: 'Replaces the text; the name stays. A name that no prompt has is a 404, and nothing is created.',
    scope: 'secrets:write',
    origin: 'beyond',
    params: ByLabel,
    body: Closed({ prompt: PromptText }),
    reply: { status: 200, body: Prompt },
    example: { prompt: 'Summarize the page in one sentence.' },
  },
  'secrets.prompt.delete': {
    method: 'DELETE',
    path: '/v1/secrets/prompts/:name',
    summary: 'Delete a prompt',
    scope: 'secrets:write',
    origin: 'beyond',
    params: ByLabel,
    reply: { status: 204 },
  },
})
