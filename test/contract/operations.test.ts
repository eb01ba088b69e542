import { readdirSync } from 'node:fs'
import { Compile } from 'typebox/compile'
import { Format } from 'typebox/format'
import { describe, expect, test } from 'vitest'
import { operationList } from '../../src/contract/index.ts'
import { grants } from '../../src/contract/scopes.ts'
import { engineOf } from '../../src/services/notBuilt.ts'

const originOf = (origin: string): string[] => operationList.filter(([, row]) => (row.origin ?? 'interface') === origin).map(([id]) => id)

describe('the operation table', () => {
  test('holds the 104 operations of the interface and its six repeats', () => {
    expect(originOf('interface')).toHaveLength(104)
    expect(originOf('repeat')).toHaveLength(6)
  })

  test('gives every method and path to one operation', () => {
    const routes = operationList.map(([, { method, path }]) => `${method} ${path.replace(/:\w+/g, ':')}`)
    expect(new Set(routes).size).toBe(routes.length)
  })

  test('names a parameter schema for every parameter in a path, and no other', () => {
    for (const [id, { path, params }] of operationList) {
      const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name)
      expect(Object.keys(params?.properties ?? {}).toSorted(), id).toEqual(inPath.toSorted())
    }
  })

  test('asks for scopes that a key can hold', () => {
    for (const [id, { scope, ownScope }] of operationList) expect([scope, ownScope ?? scope].every((one) => one === 'public' || grants.includes(one)), id).toBe(true)
  })

  test('carries examples that its own schemas accept', () => {
    for (const [id, { body, example }] of operationList) if (body && example !== undefined) expect(Compile(body).Check(example), id).toBe(true)
  })

  test('shows an example for every JSON body that must be sent', () => {
    const bare = operationList.filter(([, { body, bodyOptional, example }]) => body && !bodyOptional && example === undefined).map(([id]) => id)
    expect(bare).toEqual([])
  })

  test('closes every object of a body, query or path that has named fields', () => {
    for (const [id, { params, query, body }] of operationList) for (const schema of [params, query, body]) expect(openObjects(schema), id).toEqual([])
  })

  test('uses only formats that the validator knows, since an unknown one passes silently', () => {
    const used = new Set(operationList.flatMap(([, row]) => [row.params, row.query, row.body, row.reply.body].flatMap((schema) => formatsOf(schema))))
    expect([...used].filter((format) => !Format.Has(format))).toEqual([])
  })

  test('has a test file for every operation that is built', () => {
    const files = new Set(readdirSync(new URL('../api', import.meta.url)))
    const untested = operationList.map(([id]) => id).filter((id) => engineOf(id) === undefined && !files.has(`${id}.test.ts`))
    expect(untested).toEqual([])
  })
})

/** Paths of objects that name their fields yet take others; those for the user's own keys say so. */
function openObjects(schema: unknown, path = ''): string[] {
  if (Array.isArray(schema)) return schema.flatMap((item, index) => openObjects(item, `${path}/${index}`))
  if (typeof schema !== 'object' || schema === null) return []
  const node = schema as Record<string, unknown>
  const open = node['properties'] !== undefined && node['additionalProperties'] === undefined
  return [
    ...(open ? [path] : []),
    ...['properties', 'patternProperties'].flatMap((key) => Object.entries(node[key] ?? {}).flatMap(([name, item]) => openObjects(item, `${path}/${name}`))),
    ...['items', 'anyOf', 'additionalProperties'].flatMap((key) => openObjects(node[key], `${path}/${key}`)),
  ]
}

function formatsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const node = schema as Record<string, unknown>
  const own = node['type'] === 'string' && typeof node['format'] === 'string' ? [node['format']] : []
  return [...own, ...Object.values(node).flatMap((child) => formatsOf(child))]
}
