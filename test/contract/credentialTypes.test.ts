import { describe, expect, test } from 'vitest'
import { Compile } from 'typebox/compile'
import { compileCheck } from '../../src/api/input/validate.ts'
import { credentialTypeNames, credentialTypes } from '../../src/contract/secrets/credentialTypes/index.ts'
import { CredentialDraft, credentials } from '../../src/contract/secrets/credentials.ts'
import { OauthMapping, oauthMappings } from '../../src/contract/secrets/oauthMappings.ts'
import { fieldsOf, looksSecret, withUnknownField } from './schemaFields.ts'

/** Fields whose names only sound secret. */
const publicFields = ['/credentials/oauth/tokenUrl']

const draft = Compile(CredentialDraft)
const faultsOf = compileCheck(CredentialDraft)

function oauthBody(oauth: object) {
  return { type: 'oauth', config: { credential: { name: 'a' }, credentials: { oauth: { clientId: 'c', ...oauth } } } }
}

test('there are eight types of credentials', () => {
  expect(credentialTypeNames).toEqual(['oauth', 'custom', 'aws4', 'splunk', 'openai', 'pinecone', 'okta', 'gcp'])
})

describe.each(Object.entries(credentialTypes))('%s', (type, { schema, example, title, summary }) => {
  test('has an example that its schema and the body accept', () => {
    expect([...Compile(schema).Errors(example)]).toEqual([])
    expect(schema).toHaveProperty('examples', [example])
    expect(draft.Check({ type, config: example })).toBe(true)
    expect(title && summary).not.toBe('')
  })

  test('keeps its values under its own name', () => {
    expect(Object.keys(schema.properties.credentials.properties)).toEqual([type])
  })

  test('refuses an unknown field at every depth', () => {
    const strangers = withUnknownField(example)
    expect(strangers.length).toBeGreaterThanOrEqual(4)
    for (const config of strangers) expect(draft.Check({ type, config }), JSON.stringify(config)).toBe(false)
    for (const { path, node } of fieldsOf(schema)) if (node.properties) expect(node.additionalProperties, path).toBe(false)
  })

  test('marks every secret and describes every field', () => {
    for (const { path, name, node } of fieldsOf(schema)) {
      expect(node.description, path).toMatch(/\.$/)
      if (looksSecret(name) && !publicFields.includes(path)) expect(node.secret, path).toBe(true)
      if (node.secret) expect(node.type, path).toBe('string')
      if (node.default !== undefined) expect(Compile(node).Check(node.default), path).toBe(true)
    }
    expect(fieldsOf(schema).some(({ node }) => node.secret)).toBe(true)
  })

  test('refuses the names of routes, and names that are not labels', () => {
    const { credentials: values } = example
    for (const name of ['schemas', 'oauth', '', '.', '..', ' a', 'a\n'])
      expect(Compile(schema).Check({ credential: { name }, credentials: values }), name).toBe(false)
    for (const name of ['Schemas', 'oauth 2', 'schémas'])
      expect(Compile(schema).Check({ credential: { name }, credentials: values }), name).toBe(true)
  })
})

test('a config of another type is refused', () => {
  expect(draft.Check({ type: 'custom', config: credentialTypes.aws4.example })).toBe(false)
  expect(draft.Check({ type: 'unheard-of', config: credentialTypes.aws4.example })).toBe(false)
})

test('the body names the field that chooses among its branches', () => {
  expect(CredentialDraft).toMatchObject({ discriminator: { propertyName: 'type' } })
  expect(CredentialDraft).toHaveProperty('anyOf.length', 8)
})

describe('an oauth credential', () => {
  const tokenUrl = 'https://login.example/token'
  test.each([
    ['client credentials', { grantType: 'client_credentials', tokenUrl, clientSecret: 's' }],
    ['a password', { grantType: 'password', tokenUrl, username: 'u', password: 'p' }],
    ['a refresh token', { grantType: 'refresh_token', provider: 'google', refreshToken: 'r' }],
    ['a code', { grantType: 'authorization_code', provider: 'github', code: 'c', redirectUri: 'https://app.example/back' }],
    ['a code that was already used', { grantType: 'authorization_code', provider: 'github', refreshToken: 'r' }],
    ['a provider with a tenant', { grantType: 'client_credentials', provider: 'microsoft', tenant: 'contoso.example', clientSecret: 's' }],
    ['a provider with a domain', { grantType: 'client_credentials', provider: 'okta', domain: 'shop.okta.example', clientSecret: 's' }],
  ])('is accepted with %s', (_, oauth) => {
    expect([...draft.Errors(oauthBody(oauth))]).toEqual([])
  })

  test.each([
    ['no address', { grantType: 'client_credentials', clientSecret: 's' }, '', 'must have provider, or tokenUrl'],
    [
      'an unknown provider',
      { grantType: 'client_credentials', provider: 'acme', clientSecret: 's' },
      '/provider',
      'must be one of asana, auth0',
    ],
    ['no client secret', { grantType: 'client_credentials', tokenUrl }, '', 'must have clientSecret when grantType is client_credentials'],
    ['no password', { grantType: 'password', tokenUrl, username: 'u' }, '', 'must have username and password when grantType is password'],
    ['no refresh token', { grantType: 'refresh_token', tokenUrl }, '', 'must have refreshToken when grantType is refresh_token'],
    ['a code alone', { grantType: 'authorization_code', tokenUrl, code: 'c' }, '', 'must have refreshToken, or code and redirectUri when'],
    [
      'no tenant',
      { grantType: 'client_credentials', provider: 'microsoft', clientSecret: 's' },
      '',
      'must have tenant when provider is keycloak or microsoft',
    ],
    [
      'a path in the domain',
      { grantType: 'client_credentials', provider: 'okta', domain: 'a.example/b', clientSecret: 's' },
      '/domain',
      'must be a host name',
    ],
    [
      'a user in the address',
      { grantType: 'client_credentials', tokenUrl: 'https://u:p@login.example/token', clientSecret: 's' },
      '/tokenUrl',
      'must be an address',
    ],
  ])('is refused with %s, and told why', (_, oauth, path, message) => {
    expect(faultsOf(oauthBody(oauth))).toEqual([{ path: `/config/credentials/oauth${path}`, message: expect.stringContaining(message) }])
  })
})

test('a name that is a route is refused, and told why', () => {
  const config = { ...credentialTypes.custom.example, credential: { name: 'oauth' } }
  expect(faultsOf({ type: 'custom', config })).toEqual([
    { path: '/config/credential/name', message: expect.stringContaining('must not be schemas or oauth') },
  ])
})

test('the mappings are whole, unique and reached by https', () => {
  expect(new Set(oauthMappings.map(({ provider }) => provider)).size).toBe(oauthMappings.length)
  for (const mapping of oauthMappings) {
    expect(Compile(OauthMapping).Check(mapping), mapping.provider).toBe(true)
    for (const url of [mapping.authorizationUrl, mapping.tokenUrl]) {
      expect(new URL(url.replace('{domain}', 'd.example').replace('{tenant}', 't')).protocol).toBe('https:')
      expect(url.match(/\{\w+\}/g) ?? []).toEqual(mapping.tokenUrl.match(/\{\w+\}/g) ?? [])
    }
  }
})

test('fixed routes stand before the one with a name', () => {
  const paths = Object.values(credentials).map(({ path }) => path)
  const named = paths.indexOf('/v1/secrets/credentials/:name')
  for (const fixed of ['schemas', 'schemas/:type', 'oauth/mappings']) {
    const at = paths.findIndex((path) => path === `/v1/secrets/credentials/${fixed}`)
    expect(at).toBeGreaterThan(-1)
    expect(at).toBeLessThan(named)
  }
})
