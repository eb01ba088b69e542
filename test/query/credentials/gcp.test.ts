import { generateKeyPairSync } from 'node:crypto'
import { importSPKI, jwtVerify } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { credentialHeaders } from '../../../src/query/credentials/headers.ts'
import { credential, openOutside } from '../../support/outside.ts'
import { openTarget } from '../../support/target.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const server = await openTarget(() => ({ body: { access_token: 'ya29', token_type: 'Bearer', expires_in: 3599 } }))
afterAll(() => server[Symbol.asyncDispose]())
const context = { outside: openOutside(), signal: AbortSignal.timeout(15_000) }
const keyFile = { type: 'service_account', client_email: 'reader@project.example', private_key: privateKey, private_key_id: 'k1', token_uri: `${server.url}/token` }

describe('a gcp credential', () => {
  test('exchanges a statement of the service account for a token', async () => {
    const values = { serviceAccountKey: JSON.stringify(keyFile), scopes: ['one', 'two'], subject: 'user@project.example' }
    expect(await credentialHeaders(credential('g', 'gcp', values), context)).toEqual({ Authorization: 'Bearer ya29' })
    const form = new URLSearchParams(server.hits[0]?.body.toString())
    expect([...form.keys()].toSorted()).toEqual(['assertion', 'grant_type'])
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer')
    const { payload, protectedHeader } = await jwtVerify(form.get('assertion') ?? '', await importSPKI(publicKey, 'RS256'), { audience: `${server.url}/token` })
    expect(protectedHeader).toMatchObject({ alg: 'RS256', kid: 'k1' })
    expect(payload).toMatchObject({ iss: 'reader@project.example', scope: 'one two', sub: 'user@project.example' })
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(3600)
  })

  test.for([
    ['no JSON', 'private'],
    ['JSON without a key', '{"client_email": "a"}'],
    ['a key that is none', JSON.stringify({ ...keyFile, private_key: 'private' })],
  ])('with %s is a problem without the key in it', async ([, serviceAccountKey]) => {
    const problem = await credentialHeaders(credential('g', 'gcp', { serviceAccountKey }), context).catch((error: unknown) => error)
    expect(problem).toMatchObject({ code: 'command_failed', message: expect.stringContaining('as it was downloaded') })
  })
})
