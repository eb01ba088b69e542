import { send } from '../../src/client/index.ts'
import type { RunningApi } from './api.ts'

/** A template as it is answered. */
export interface TemplateRecord {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly query: string
  readonly templateSchema: Record<string, unknown> | null
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** A draft of a name. */
export const templateDraft = (name: unknown) => ({ name, description: 'Counts up', query: 'range $template.count$' })

/** Creates a template that a test starts from. */
export async function createTemplate(api: RunningApi, name: string, fields: object = {}): Promise<TemplateRecord> {
  const response = await send({ baseUrl: api.url, apiKey: api.adminKey }, 'sirp.template.create', { body: { ...templateDraft(name), ...fields } })
  if (response.status !== 201) throw new Error(`the template was not created: ${await response.text()}`)
  return (await response.json()) as TemplateRecord
}
