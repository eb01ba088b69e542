import { describe, expect } from 'vitest'
import { Compile } from 'typebox/compile'
import type { TSchema } from 'typebox'
import { test } from '../api.ts'
import { expectPageBounds, expectPaging } from '../expectPaging.ts'
import { expectProblem } from '../problems.ts'
import { registryOf, type SealedKind } from './records.ts'

/** The answer about one type, as JSON carries it. */
function schemaOf(kind: SealedKind, type: string): unknown {
  const { title, summary, schema } = registryOf[kind][type] ?? {}
  return JSON.parse(JSON.stringify({ type, title, summary, schema }))
}

/** What listing the schemas of a kind's types does. */
export function describeSchemaList(kind: SealedKind): void {
  const id = `secrets.${kind}Schema.list` as const

  describe(id, () => {
    test('answers the schema of every type, page by page', async ({ api, sendAs }) => {
      const types = Object.keys(registryOf[kind])
      await expectPaging((query) => sendAs(api.adminKey, id, { query }), types.map((type) => schemaOf(kind, type)))
    })

    test('refuses pages beyond the bounds and names the parameter', async ({ api, sendAs }) => {
      await expectPageBounds((query) => sendAs(api.adminKey, id, { query }))
    })
  })
}

/** What reading the schema of one type does. */
export function describeSchemaRead(kind: SealedKind): void {
  const id = `secrets.${kind}Schema.read` as const

  describe(id, () => {
    test.for(Object.entries(registryOf[kind]))('answers a schema of %s that takes its example and names its secrets', async ([type, { example }], { api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { params: { type } })
      const answer = (await response.json()) as { schema: TSchema }
      expect(response.status).toBe(200)
      expect(answer).toEqual(schemaOf(kind, type))
      expect([...Compile(answer.schema).Errors(example)]).toEqual([])
      expect(Compile(answer.schema).Check({ ...(example as object), surprise: 1 })).toBe(false)
      expect(JSON.stringify(answer.schema)).toContain('"secret":true')
    })

    test.for(['unheard-of', 'AWS4', 'file', 'constructor', '__proto__', 'aws4 ', '%'])('refuses the type %j and lists the right ones', async (type, { api, sendAs }) => {
      const { errors } = await expectProblem(await sendAs(api.adminKey, id, { params: { type } }), 'validation_failed')
      expect(errors).toEqual([{ path: '/type', in: 'path', message: `must be one of ${Object.keys(registryOf[kind]).join(', ')}` }])
    })
  })
}
