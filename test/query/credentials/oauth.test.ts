import { once } from 'node:events'
import { afterAll, describe, expect, test } from 'vitest'
import { signalOf } from '../../../src/platform/stop.ts'
import { accessToken } from '../../../src/query/credentials/tokens.ts'
import type { OpenedCredential, Outgoing, Outside } from '../../../src/query/outside.ts'
import { credential, openOutside } from '../../support/outside.ts'
import { openTarget, type Answering } from '../../support/target.ts'

let answer: () => Answering = () => ({})
const server = await openTarget(() => answer())
afterAll(() => server[Symbol.asyncDispose]())
let names = 0

function oauth(values: Readonly<Record<string, unknown>>): OpenedCredential {
  names += 1
  return credential(`provider ${names}`, 'oauth', { tokenUrl: `${server.url}/token`, clientId: 'my client', clientSecret: 's3cret:x', ...values })
}

const grant = (more: object = {}): Answering => ({ body: { access_token: 'token', token_type: 'Bearer', expires_in: 3600, ...more } })
const contextOf = (outside: Outside = openOutside(), signal = AbortSignal.timeout(15_000)) => ({ outside, signal })
const forms = () => server.hits.splice(0).map(({ body }) => Object.fromEntries(new URLSearchParams(body.toString())))

describe('an oauth credential', () => {
  test('asks by client credentials, with the client in the header', async () => {
    answer = () => grant()
    const token = await accessToken(oauth({ grantType: 'client_credentials', scopes: ['a', 'b'], audience: 'api' }), contextOf())
    expect(token).toMatchObject({ access: 'token', type: 'Bearer', lifeS: 3600 })
    const [request] = server.hits
    expect(request).toMatchObject({ method: 'POST', url: '/token' })
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from('my+client:s3cret%3Ax').toString('base64')}`)
    expect(forms()).toEqual([{ grant_type: 'client_credentials', scope: 'a b', audience: 'api' }])
  })

  test.for<[string, Record<string, unknown>, Record<string, string>]>([
    ['the client in the form', { grantType: 'client_credentials', authentication: 'body' }, { grant_type: 'client_credentials', client_id: 'my client', client_secret: 's3cret:x' }],
    ['a public client', { grantType: 'refresh_token', refreshToken: 'r', clientSecret: undefined }, { grant_type: 'refresh_token', refresh_token: 'r', client_id: 'my client' }],
    ['a password', { grantType: 'password', username: 'u', password: 'p' }, { grant_type: 'password', username: 'u', password: 'p' }],
    ['a refresh token', { grantType: 'refresh_token', refreshToken: 'r', scopes: ['a'] }, { grant_type: 'refresh_token', refresh_token: 'r', scope: 'a' }],
    ['a code', { grantType: 'authorization_code', code: 'c', redirectUri: 'https://me.example/', codeVerifier: 'v' }, { grant_type: 'authorization_code', code: 'c', redirect_uri: 'https://me.example/', code_verifier: 'v' }],
  ])('asks with %s', async ([, values, form]) => {
    answer = () => grant()
    await accessToken(oauth(values), contextOf())
    expect(forms()).toEqual([form])
  })

  test('asks where its provider says, as its provider wants it', async () => {
    const sent: Outgoing[] = []
    const outside = openOutside({ send: (request) => (sent.push(request), Promise.reject(new Error('far away'))) })
    const values = { tokenUrl: undefined, provider: 'keycloak', domain: 'login.example', tenant: 'staff', grantType: 'client_credentials' }
    await expect(accessToken(oauth(values), contextOf(outside))).rejects.toThrow('far away')
    const slack = { tokenUrl: undefined, provider: 'slack', grantType: 'refresh_token', refreshToken: 'r', scopes: ['a', 'b'] }
    await expect(accessToken(oauth(slack), contextOf(outside))).rejects.toThrow('far away')
    expect(sent.map(({ url }) => url)).toEqual(['https://login.example/realms/staff/protocol/openid-connect/token', 'https://slack.com/api/oauth.v2.access'])
    expect(sent[1]?.body).toContain('scope=a%2Cb')
  })

  test('keeps a token, and asks once when many ask at the same time', async () => {
    answer = () => grant()
    const kept = oauth({ grantType: 'client_credentials' })
    await Promise.all(Array.from({ length: 20 }, () => accessToken(kept, contextOf())))
    await accessToken(kept, contextOf())
    expect(forms()).toHaveLength(1)
    await accessToken({ ...kept, version: 2 }, contextOf())
    await accessToken({ ...kept, values: { ...kept.values, clientSecret: 'other' } }, contextOf())
    expect(forms()).toHaveLength(2)
  })

  test('asks again for a token that has ended', async () => {
    answer = () => grant({ expires_in: 0 })
    const short = oauth({ grantType: 'client_credentials' })
    await accessToken(short, contextOf())
    await accessToken(short, contextOf())
    expect(forms()).toHaveLength(2)
  })

  test('goes on for the others when the one who asked gives up', async () => {
    answer = () => grant()
    const shared = oauth({ grantType: 'client_credentials' })
    const stop = new AbortController()
    const stuck = openOutside({ send: async (_request, given) => once(signalOf(given), 'abort').then(() => signalOf(given).throwIfAborted() as never) })
    const leader = accessToken(shared, contextOf(stuck, stop.signal))
    const follower = accessToken(shared, contextOf())
    stop.abort()
    await expect(leader).rejects.toThrow('aborted')
    expect(await follower).toMatchObject({ access: 'token' })
    expect(forms()).toHaveLength(1)
  })

  test('uses the refresh token that it was answered last, and has it stored', async () => {
    let turn = 0
    answer = () => grant({ refresh_token: `r${(turn += 1)}`, expires_in: 0 })
    const stored: string[] = []
    const outside = Object.assign(openOutside(), { keepRefreshToken: async (_name: unknown, token: string) => void stored.push(token) })
    const rotating = oauth({ grantType: 'authorization_code', code: 'c', redirectUri: 'https://me.example/' })
    for (let asked = 0; asked < 3; asked += 1) await accessToken(rotating, contextOf(outside))
    expect(forms().map(({ grant_type: type, refresh_token: token }) => [type, token])).toEqual([['authorization_code', undefined], ['refresh_token', 'r1'], ['refresh_token', 'r2']])
    expect(stored).toEqual(['r1', 'r2', 'r3'])
  })

  test('takes what providers answer beside the letter of the standard', async () => {
    answer = () => ({ body: { access_token: 'token', expires_in: '60', id_token: 'not.a.jwt', scope: ['a'], refresh_token: null } })
    expect(await accessToken(oauth({ grantType: 'client_credentials' }), contextOf())).toMatchObject({ access: 'token', type: 'Bearer', lifeS: 60 })
    forms()
  })

  test.for<[string, Answering, string, string]>([
    ['a refusal', { status: 401, body: { error: 'invalid_client', error_description: 'no s3cret:x here' } }, 'command_failed', 'invalid_client: no … here'],
    ['a refusal with status 200', { body: { error: 'bad_verification_code' } }, 'command_failed', 'bad_verification_code'],
    ['a broken server', { status: 503 }, 'target_status', '503'],
    ['a page', { body: '<html>' }, 'target_unreadable', 'no JSON'],
    ['JSON without a token', { body: { ok: true } }, 'target_unreadable', 'access token'],
    ['a redirect', { status: 302, headers: { location: '/elsewhere' } }, 'target_unreadable', '302'],
  ])('reports %s without a secret', async ([, given, code, message]) => {
    answer = () => given
    const problem = await accessToken(oauth({ grantType: 'client_credentials' }), contextOf()).catch((error: unknown) => error)
    expect(problem).toMatchObject({ code, message: expect.stringContaining(message) })
    expect(String(problem)).not.toContain('s3cret')
    expect(forms()).toHaveLength(1)
  })
})
