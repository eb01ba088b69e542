import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect } from 'vitest'
import { CallFailed, createClient, fillPath } from '../../src/client/index.ts'
import { test, unknownId } from '../support/api.ts'

describe('the client', () => {
  test('answers what an operation answers, and nothing for a 204', async ({ call }) => {
    const made = await call('gonogo.policy.create', { body: { name: 'n', domain: 'client.example', policy: {} } })
    expect(await call('gonogo.policy.read', { params: { id: made.id } })).toEqual(made)
    expect(await call('gonogo.policy.list', { query: { limit: 1 } })).toMatchObject({ limit: 1, items: [made] })
    expect(await call('gonogo.policy.delete', { params: { id: made.id } })).toBeUndefined()
  })

  test('throws the problem of a call that failed', async ({ call }) => {
    const failed = await call('gonogo.policy.read', { params: { id: unknownId }, headers: { 'X-Request-Id': 'mine' } }).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(CallFailed)
    expect(failed).toMatchObject({ status: 404, code: 'not_found', requestId: 'mine', message: expect.stringContaining(unknownId) as string })
  })

  test('sends names of any characters in one piece', async ({ call }) => {
    for (const name of ['a/b', 'a?b#c', '%2f', 'é 😀', '...x', 'a\\b']) {
      await call('secrets.prompt.create', { body: { name, prompt: 'text' } })
      expect(await call('secrets.prompt.read', { params: { name } })).toMatchObject({ name })
    }
  })

  test.for([{}, { id: '' }, { id: '.' }, { id: '..' }, { id: undefined }])('does not send %j as a parameter', (params) => {
    expect(() => fillPath('/v1/gonogo/policies/:id', params)).toThrow(TypeError)
  })

  test('gives up when its signal says so', async ({ call }) => {
    await expect(call('gonogo.policy.list', { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
  })

  test.for([[502, '<html>Bad gateway</html>'], [200, '<html>Welcome</html>'], [503, ''], [500, 'null'], [500, '"text"']] as const)('tells a %i with %j from an answer of the service', async ([status, body]) => {
    const server = createServer((_, response) => response.writeHead(status).end(body)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const call = createClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: 'x' })
    await expect(call('gonogo.policy.list')).rejects.toMatchObject({ name: 'CallFailed', status })
    server.close()
  })
})
