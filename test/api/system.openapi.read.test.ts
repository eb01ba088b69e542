import { validate } from '@readme/openapi-parser'
import { describe, expect } from 'vitest'
import { operationList } from '../../src/contract/index.ts'
import { test } from '../support/api.ts'

interface Described {
  readonly operationId: string
  readonly security?: readonly unknown[]
  readonly responses: Readonly<Record<string, unknown>>
}

interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

async function read(url: string): Promise<Document> {
  return (await (await fetch(`${url}/v1/openapi.json`)).json()) as Document
}

describe('system.openapi.read', () => {
  test('answers without a key a document that a validator of OpenAPI 3.1 accepts', async ({ api }) => {
    const document = await read(api.url)
    expect(document.openapi).toBe('3.1.0')
    const { valid, ...found } = await validate(structuredClone(document) as never)
    expect(found).not.toHaveProperty('errors')
    expect(valid).toBe(true)
  })

  test('describes every operation of the table under its id, and no other', async ({ api }) => {
    const { paths } = await read(api.url)
    const described = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    expect(described.toSorted()).toEqual(operationList.map(([id]) => id).toSorted())
  })

  test('names the status of success and leaves the key out only where none is needed', async ({ api }) => {
    const { paths } = await read(api.url)
    for (const [id, { method, path, reply, scope }] of operationList) {
      const row = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
      expect(row?.responses, id).toHaveProperty(String(reply.status))
      expect(row?.security, id).toEqual(scope === 'public' ? [] : undefined)
    }
  })

  test('keeps our own keywords to itself', async ({ api }) => {
    expect(JSON.stringify(await read(api.url))).not.toMatch(/"explain":|"secret":true/)
  })
})
