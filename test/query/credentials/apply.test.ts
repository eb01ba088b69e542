import { describe, expect, test } from 'vitest'
import { applyCredential, credentialHeaders, secretValueOf } from '../../../src/query/credentials/apply.ts'
import { credential, openOutside } from '../../support/outside.ts'

const context = { outside: openOutside(), signal: AbortSignal.timeout(15_000) }

describe('a credential', () => {
  test.for([
    ['custom', { value: 'Token abc\n' }, { Authorization: 'Token abc' }],
    ['splunk', { token: 't' }, { Authorization: 'Splunk t' }],
    ['splunk', { token: 't', scheme: 'Bearer' }, { Authorization: 'Bearer t' }],
    ['splunk', { username: 'u', password: 'p:q' }, { Authorization: 'Basic dTpwOnE=' }],
    ['openai', { apiKey: 'k' }, { Authorization: 'Bearer k' }],
    ['openai', { apiKey: 'k', organization: 'o', project: 'p' }, { Authorization: 'Bearer k', 'OpenAI-Organization': 'o', 'OpenAI-Project': 'p' }],
    ['pinecone', { apiKey: 'k' }, { 'Api-Key': 'k' }],
    ['pinecone', { apiKey: 'k', apiVersion: '2025-01' }, { 'Api-Key': 'k', 'X-Pinecone-API-Version': '2025-01' }],
    ['okta', { apiToken: 't' }, { Authorization: 'SSWS t' }],
  ] as const)('of the type %s with %j yields the headers of its product', async ([type, values, headers]) => {
    expect(await credentialHeaders(credential('c', type, values), context)).toEqual(headers)
  })

  test('wins over a header of the same name in any case', async () => {
    const request = { method: 'GET', url: 'http://127.0.0.1/', headers: { AUTHORIZATION: 'mine', accept: 'text/csv' } }
    const applied = await applyCredential(credential('c', 'okta', { apiToken: 't' }), request, context)
    expect(applied).toEqual({ ...request, headers: { accept: 'text/csv', Authorization: 'SSWS t' } })
  })

  test('that no header can hold is a problem without the secret in it', async () => {
    const problem = await credentialHeaders(credential('c', 'custom', { value: 'one\r\nX-Two: hidden' }), context).catch((error: unknown) => error)
    expect(problem).toMatchObject({ code: 'command_failed', message: expect.stringContaining('"c"') })
    expect(String(problem)).not.toContain('hidden')
  })

  test('of the type aws4 has no headers without a request', async () => {
    const asked = credentialHeaders(credential('c', 'aws4', { accessKeyId: 'a', secretAccessKey: 's' }), context)
    await expect(asked).rejects.toMatchObject({ code: 'command_failed', message: expect.stringContaining('--credentials.aws4') })
  })

  test.for([
    ['custom', { value: 'v' }, 'v'],
    ['oauth', { grantType: 'client_credentials', clientId: 'i', clientSecret: 's' }, 's'],
    ['oauth', { grantType: 'refresh_token', clientId: 'i', refreshToken: 'r' }, 'r'],
    ['aws4', { accessKeyId: 'a', secretAccessKey: 's' }, 's'],
    ['splunk', { token: 't' }, 't'],
    ['splunk', { username: 'u', password: 'p' }, 'p'],
    ['openai', { apiKey: 'k' }, 'k'],
    ['pinecone', { apiKey: 'k' }, 'k'],
    ['okta', { apiToken: 't' }, 't'],
    ['gcp', { serviceAccountKey: '{}' }, '{}'],
  ] as const)('of the type %s with %j stands for its secret', ([type, values, secret]) => {
    expect(secretValueOf(credential('c', type, values))).toBe(secret)
  })

  test('without a secret stands for nothing', () => {
    expect(() => secretValueOf(credential('c', 'oauth', { clientId: 'i' }))).toThrow('holds no secret')
  })
})
