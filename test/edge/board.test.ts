import { describe, expect } from 'vitest'
import { test, type RunningApi } from '../support/api.ts'
import { generateKey, limitedKey } from '../support/limitedKey.ts'
import { addJob } from '../support/queuedJobs.ts'

const html = { accept: 'text/html,application/xhtml+xml' }
const board = (api: RunningApi, path = '', headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${api.url}/ops/queues${path}`, { headers, method, redirect: 'manual' })
const signIn = (api: RunningApi, key: string) => fetch(`${api.url}/ops/sign-in`, { method: 'POST', body: new URLSearchParams({ key }), redirect: 'manual' })
const cookieOf = (response: Response): string => (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''

describe('the board at /ops/queues', () => {
  test('is shown to a key with the scope ops:read, its page, its files and its queues', async ({ api }) => {
    const headers = { authorization: `svc ${await limitedKey(api, 'ops:read')}` }
    const page = await board(api, '', headers)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'")
    const text = await page.text()
    expect(text).toContain('<base href="/ops/queues/"')
    const script = /src="(static\/js\/[^"]+)"/.exec(text)?.[1] ?? ''
    const file = await board(api, `/${script}`, headers)
    expect([file.status, file.headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')])
    await addJob(api.house, 'export', 'shown')
    const listed = await board(api, '/api/queues?activeQueue=export&status=waiting', headers)
    const { queues } = (await listed.json()) as { queues: { name: string; readOnlyMode: boolean }[] }
    expect(queues.map(({ name, readOnlyMode }) => [name, readOnlyMode])).toEqual([['query', true], ['browser', true], ['export', true], ['almanac', true]])
    expect(JSON.stringify(queues)).toContain('shown')
  })

  test('goes on after the queues were opened anew by a restart', async ({ api, sendAs }) => {
    const headers = { authorization: `svc ${api.adminKey}` }
    expect((await board(api, '/api/queues', headers)).status).toBe(200)
    expect((await sendAs(api.adminKey, 'sirp.service.restart', { params: { type: 'jobs' }, headers: { Prefer: 'wait=15' } })).status).toBe(200)
    expect((await board(api, '/api/queues', headers)).status).toBe(200)
  })

  test('is shown to nobody without a key, whatever part of it is asked for', async ({ api }) => {
    for (const path of ['', '/', '/api/queues', '/static/favicon-32x32.png', '/queue/query', '/nothing', '/..%2fqueues']) {
      const refused = await board(api, path)
      expect([path, refused.status, refused.headers.get('www-authenticate')]).toEqual([path, 401, 'svc'])
    }
    expect((await board(api, '', { authorization: 'svc nobody' })).status).toBe(401)
    expect((await board(api, '', { ...html, authorization: 'svc nobody' })).status).toBe(401)
    expect((await board(api, '', { authorization: `svc ${await limitedKey(api, 'queries:read')}` })).status).toBe(403)
    expect((await fetch(`${api.url}/ops/queuesx`)).status).toBe(404)
    expect((await fetch(`${api.url}/OPS/queues`)).status).toBe(404)
  })

  test('changes nothing, even for an admin', async ({ api }) => {
    for (const method of ['PUT', 'POST', 'DELETE', 'PATCH']) {
      const response = await board(api, '/api/queues/export/pause', { authorization: `svc ${api.adminKey}` }, method)
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    }
  })

  test('asks a browser to sign in, and lets it in with a cookie that does not hold the key', async ({ api }) => {
    const asked = await board(api, '', html)
    expect(asked.status).toBe(401)
    expect(await asked.text()).toContain('<form method="post" action="/ops/sign-in">')
    const signed = await signIn(api, api.adminKey)
    expect([signed.status, signed.headers.get('location')]).toEqual([303, '/ops/queues'])
    const cookie = signed.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^quern_ops=[^;]+; path=\/ops; expires=[^;]+; samesite=strict; httponly$/i)
    expect(cookie).not.toContain(api.adminKey.slice(-20))
    expect((await board(api, '/api/queues', { cookie: cookieOf(signed) })).status).toBe(200)
    expect(api.logLines.join('')).not.toContain(api.adminKey)
    // The session is for the board only.
    expect((await fetch(`${api.url}/v1/jobs`, { headers: { cookie: cookieOf(signed) } })).status).toBe(401)
  })

  test('refuses to sign in with what is no key, and with a key without the scope', async ({ api }) => {
    const wrong = await signIn(api, 'svc_nobody')
    expect([wrong.status, wrong.headers.get('set-cookie')]).toEqual([401, null])
    const weak = await signIn(api, await limitedKey(api, 'queries:read'))
    expect([weak.status, weak.headers.get('set-cookie')]).toEqual([403, null])
    expect((await fetch(`${api.url}/ops/sign-in`, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })).status).toBe(415)
    expect((await fetch(`${api.url}/ops/sign-in`, { method: 'POST', body: new URLSearchParams({ key: 'x'.repeat(10_000) }) })).status).toBe(413)
    expect((await fetch(`${api.url}/ops/sign-in`, { method: 'DELETE' })).status).toBe(405)
  })

  test('ends a session with its key, and takes no cookie that it did not make', async ({ api, call }) => {
    const { id, key } = await generateKey(api, { scopes: ['ops:read'] })
    const cookie = cookieOf(await signIn(api, key))
    const [name, value = ''] = cookie.split('=')
    const [keyId, expires, signature] = value.split('.')
    for (const forged of [`${keyId}.${Number(expires) + 1000}.${signature}`, `${crypto.randomUUID()}.${expires}.${signature}`, `${keyId}.${expires}.`, 'x']) {
      expect((await board(api, '/api/queues', { cookie: `${name}=${forged}` })).status).toBe(401)
    }
    expect((await board(api, '/api/queues', { cookie })).status).toBe(200)
    await call('secrets.apiKey.delete', { params: { id } })
    expect((await board(api, '/api/queues', { cookie })).status).toBe(401)
  })
})
