import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { Closed, mask, SecretText } from '../../src/contract/schemas.ts'
import { credentialTypes } from '../../src/contract/secrets/credentialTypes/index.ts'
import { HeaderMap } from '../../src/contract/secrets/fields.ts'
import { storeTypes } from '../../src/contract/secrets/storeTypes/index.ts'
import { keepSecrets, maskSecrets } from '../../src/services/secrets/masking.ts'

const schema = Closed({
  name: Type.String(),
  login: Closed({ token: Type.Optional(SecretText()), user: Type.Optional(Type.String()), headers: Type.Optional(HeaderMap(SecretText(), 'Secret headers.')) }),
  list: Type.Optional(Type.Array(Type.String())),
})

describe('maskSecrets', () => {
  test('masks secret fields and the values of secret maps, and nothing else', () => {
    const value = { name: 'token', login: { token: 't', user: 'u', headers: { 'X-Key': 'k', token: 't' } }, list: ['t'] }
    expect(maskSecrets(schema, value)).toEqual({ name: 'token', login: { token: mask, user: 'u', headers: { 'X-Key': mask, token: mask } }, list: ['t'] })
  })

  test('keeps the order of fields, and leaves the value that it was given as it is', () => {
    const value = Object.freeze({ list: [], login: Object.freeze({ user: 'u', token: 't' }), name: 'n' })
    expect(JSON.stringify(maskSecrets(schema, value))).toBe(`{"list":[],"login":{"user":"u","token":"${mask}"},"name":"n"}`)
  })

  test('masks every secret alike, so that its length is not told', () => {
    for (const token of ['', 't', mask, 'x'.repeat(1000)]) expect(maskSecrets(schema, { name: 'n', login: { token } }).login.token).toBe(mask)
  })

  test('puts no mask where no secret is', () => {
    expect(maskSecrets(schema, { name: 'n', login: {} })).toEqual({ name: 'n', login: {} })
  })
})

describe('keepSecrets', () => {
  const stored = { name: 'n', login: { token: 'stored', headers: { 'X-Key': 'kept' } } }

  test('puts the stored secret where the mask came back', () => {
    const given = { name: mask, login: { headers: { 'X-Key': mask }, token: mask, user: mask } }
    const { value, lost } = keepSecrets(schema, given, stored)
    expect(JSON.stringify(value)).toBe(`{"name":"${mask}","login":{"headers":{"X-Key":"kept"},"token":"stored","user":"${mask}"}}`)
    expect(lost).toEqual([])
  })

  test('takes what is not a mask as it is given, and brings nothing back that was left out', () => {
    for (const token of ['new', '', `${mask}*`, mask.slice(1), ` ${mask}`]) {
      expect(keepSecrets(schema, { name: 'n', login: { token } }, stored)).toEqual({ value: { name: 'n', login: { token } }, lost: [] })
    }
  })

  test.each([['nothing', null], ['another shape', { login: 'x' }], ['a list', []], ['another type', { login: { token: 5, headers: null } }], ['undefined', undefined]])(
    'tells every mask for which nothing is stored when what is stored is %s',
    (_, other) => {
      expect(keepSecrets(schema, { name: 'n', login: { token: mask, headers: { 'a~b': mask } } }, other).lost).toEqual(['/login/token', '/login/headers/a~0b'])
    },
  )

  test('finds no stored secret in what every object inherits', () => {
    const given = { name: 'n', login: { headers: { constructor: mask, toString: mask, ['__proto__']: mask } } }
    expect(keepSecrets(schema, given, stored).lost).toEqual(['/login/headers/constructor', '/login/headers/toString', '/login/headers/__proto__'])
  })
})

/** The keywords on the way to everything that a schema calls secret. */
function waysToSecrets(node: unknown, way: readonly string[] = []): string[][] {
  if (typeof node !== 'object' || node === null) return []
  const own = (node as { secret?: unknown }).secret === true ? [[...way]] : []
  return [...own, ...Object.entries(node).flatMap(([key, item]) => waysToSecrets(item, [...way, key]))]
}

describe.each(Object.entries({ ...credentialTypes, ...storeTypes }))('the schema of %s', (_, { schema: ofType }) => {
  test('calls secret only what masking finds: fields, and the values of maps with one pattern', () => {
    const patterns = new Map<string, number>()
    for (const way of waysToSecrets(ofType)) {
      const keywords = way.filter((_step, index) => index % 2 === 0)
      expect(keywords.filter((keyword) => keyword !== 'properties' && keyword !== 'patternProperties'), way.join('/')).toEqual([])
      const map = way.slice(0, -1).join('/')
      if (way.at(-2) === 'patternProperties') patterns.set(map, (patterns.get(map) ?? 0) + 1)
    }
    expect([...patterns.values()].filter((count) => count > 1)).toEqual([])
  })
})
