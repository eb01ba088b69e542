import { describe, expect, test } from 'vitest'
import { Compile } from 'typebox/compile'
import { manifestTypeNames, storeTypeNames, storeTypes } from '../../src/contract/secrets/storeTypes/index.ts'
import { StoreDraft, stores } from '../../src/contract/secrets/stores.ts'
import { fieldsOf, looksSecret, withUnknownField } from './schemaFields.ts'

/** Fields whose names only sound secret. */
const publicFields = ['/configuration/routingKey']

const draft = Compile(StoreDraft)

test('there are thirty types of stores, and twenty-eight that a manifest may name', () => {
  expect(storeTypeNames).toHaveLength(30)
  expect(manifestTypeNames).toHaveLength(28)
  expect(new Set(manifestTypeNames).size).toBe(28)
  expect(manifestTypeNames).toContain('file')
  for (const type of ['hdfs', 'amqp', 'nsq']) {
    expect(storeTypeNames).toContain(type)
    expect(manifestTypeNames).not.toContain(type)
  }
})

describe.each(Object.entries(storeTypes))('%s', (type, { schema, example, title, summary }) => {
  test('has an example that its schema and the body accept', () => {
    expect([...Compile(schema).Errors(example)]).toEqual([])
    expect(schema).toHaveProperty('examples', [example])
    expect(draft.Check({ type, config: example })).toBe(true)
    expect(title && summary).not.toBe('')
  })

  test('refuses an unknown field at every depth', () => {
    const strangers = withUnknownField(example)
    expect(strangers.length).toBeGreaterThanOrEqual(3)
    for (const config of strangers) expect(draft.Check({ type, config }), JSON.stringify(config)).toBe(false)
    for (const { path, node } of fieldsOf(schema)) if (node.type === 'object') expect(node.additionalProperties, path).toBe(false)
  })

  test('marks every secret and describes every field', () => {
    for (const { path, name, node } of fieldsOf(schema)) {
      expect(node.description, path).toMatch(/\.$/)
      if (looksSecret(name) && !publicFields.includes(path)) expect(node.secret, path).toBe(true)
      if (node.secret) expect(node.type, path).toBe('string')
      if (node.default !== undefined) expect(Compile(node).Check(node.default), path).toBe(true)
    }
  })

  test('takes a throughput above zero, processors and tls like every other', () => {
    const { configuration, credentials } = { configuration: {}, credentials: {}, ...example }
    const check = (throughput: number) =>
      draft.Check({
        type,
        config: {
          ...example,
          configuration: { ...configuration, throughput },
          processors: ['limit 1'],
          credentials: { ...credentials, tls: { enabled: false } },
        },
      })
    expect(check(0.5)).toBe(true)
    expect(check(0)).toBe(false)
  })

  test('refuses the name of a route, and names that are not file names', () => {
    for (const name of ['schemas', '', '..', ' a', 'a/b', 'ä'])
      expect(Compile(schema).Check({ ...example, store: { name } }), name).toBe(false)
    for (const name of ['Schemas', 'schemas 2', 'a.b-c_d']) expect(Compile(schema).Check({ ...example, store: { name } }), name).toBe(true)
  })
})

test('graphistry takes the shape that the interface gives', () => {
  const config = { store: { name: 'graph' }, configuration: { throughput: 10 }, processors: [], credentials: { tls: { enabled: true } } }
  expect([...Compile(storeTypes.graphistry.schema).Errors(config)]).toEqual([])
  expect(draft.Check({ type: 'graphistry', config })).toBe(true)
})

test('a type that a driver can run without settings needs only a name', () => {
  const bare = storeTypeNames.filter((type) => draft.Check({ type, config: { store: { name: 'a' } } }))
  expect(bare).toEqual(['localFile', 'graphistry'])
})

test('a config of another type is refused', () => {
  expect(draft.Check({ type: 'kafka', config: storeTypes.awsS3.example })).toBe(false)
  expect(draft.Check({ type: 'file', config: storeTypes.localFile.example })).toBe(false)
})

test('the body names the field that chooses among its branches', () => {
  expect(StoreDraft).toMatchObject({ discriminator: { propertyName: 'type' } })
  expect(StoreDraft).toHaveProperty('anyOf.length', 30)
})

test.each([
  ['a password in an address', 'http', { configuration: { url: 'https://u:p@hooks.example/rows' } }],
  ['another scheme', 'http', { configuration: { url: 'file:///etc/passwd' } }],
  ['a header name with a line break', 'http', { configuration: { url: 'https://a.example', headers: { 'a\r\nb': 'c' } } }],
  ['a header value with a line break', 'http', { configuration: { url: 'https://a.example', headers: { a: 'b\r\nc: d' } } }],
  [
    'a secret header value with a line break',
    'http',
    { configuration: { url: 'https://a.example' }, credentials: { headers: { a: 'b\r\nc: d' } } },
  ],
  ['a backslash in the host', 'http', { configuration: { url: 'https://a.example\\\\b.example/' } }],
  ['a header value that is no text', 'http', { configuration: { url: 'https://a.example' }, credentials: { headers: { a: 1 } } }],
  ['a broker without a port', 'kafka', { configuration: { brokers: ['kafka.example'], topic: 'a' } }],
  ['no broker', 'kafka', { configuration: { brokers: [], topic: 'a' } }],
  ['upsert without keys', 'sql', { configuration: { url: 'mysql://db.example/shop', table: 'a', mode: 'upsert' } }],
  ['neither queue nor exchange', 'amqp', { configuration: { url: 'amqp://broker.example' } }],
  ['a wildcard topic', 'mqtt', { configuration: { url: 'mqtt://broker.example', topic: 'a/#' } }],
  ['half an access key', 'awsS3', { configuration: { bucket: 'a' }, credentials: { accessKeyId: 'a' } }],
  ['no key of the account', 'azureBlobStorage', { configuration: { account: 'abc', container: 'a' }, credentials: {} }],
  ['a way out of the folder', 'localFile', { configuration: { directory: 'a/../../b' } }],
  ['the folder above', 'localFile', { configuration: { directory: '..' } }],
  ['a folder from the root', 'localFile', { configuration: { directory: '/etc' } }],
  ['an empty segment', 'localFile', { configuration: { directory: 'a//b' } }],
  [
    'a certificate without its key',
    'http',
    { configuration: { url: 'https://a.example' }, credentials: { tls: { enabled: true, cert: 'c' } } },
  ],
])('refuses %s (%s)', (_, type, config) => {
  expect(draft.Check({ type, config: { store: { name: 'a' }, ...config } })).toBe(false)
})

test.each([
  ['folders', 'localFile', { configuration: { directory: 'a/b.c/...d/..e' } }],
  ['a folder from the root', 'sftp', { configuration: { host: 'a.example', directory: '/srv/rows' } }],
  ['a public bucket', 'awsS3', { configuration: { bucket: 'a' } }],
  ['an address by IPv6', 'sftp', { configuration: { host: '[2001:db8::1]' } }],
  [
    'several hosts',
    'mongodb',
    { configuration: { url: 'mongodb://a.example:27017,b.example:27017/?replicaSet=r', database: 'a', collection: 'b' } },
  ],
  ['secret headers', 'http', { configuration: { url: 'https://a.example' }, credentials: { headers: { 'X-Api-Key': 'a' } } }],
])('accepts %s (%s)', (_, type, config) => {
  expect(draft.Check({ type, config: { store: { name: 'a' }, ...config } })).toBe(true)
})

test('secret headers are marked as secrets', () => {
  const headers = fieldsOf(storeTypes.http.schema).find(({ path }) => path === '/credentials/headers')
  expect(Object.values(headers?.node.patternProperties ?? {})).toMatchObject([{ secret: true }])
})

test('fixed routes stand before the one with a name, and only create and update are of the interface', () => {
  const rows = Object.entries(stores)
  const at = (path: string) => rows.findIndex(([, row]) => row.path === path)
  expect(at('/v1/secrets/stores/schemas')).toBeGreaterThan(-1)
  expect(at('/v1/secrets/stores/schemas')).toBeLessThan(at('/v1/secrets/stores/:name'))
  expect(rows.filter(([, row]) => !('origin' in row)).map(([id]) => id)).toEqual(['secrets.store.create', 'secrets.store.update'])
})
