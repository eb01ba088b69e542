import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { badPathLabels, brief } from '../support/labels.ts'
import { sendPath } from '../support/rawPath.ts'
import { createStream } from '../support/streams.ts'

const id = 'mentos.stream.read'

describe(id, () => {
  test('answers the whole record with its version as ETag, also where it is called like a route', async ({ api, sendAs }) => {
    for (const name of ['a/b %2f 名', 'write']) {
      const record = await createStream(api, name, { store: 'warehouse', batch: { ms: 5 } })
      const response = await sendAs(api.adminKey, id, { params: { name } })
      expect(response.status).toBe(200)
      expect(response.headers.get('etag')).toBe('"1"')
      expect(await response.json()).toEqual(record)
    }
  })

  test.for(['nobody', '%', '😀'.repeat(1000)])('answers not_found for a name that nothing has', async (name, { call }) => {
    await expect(call(id, { params: { name } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })

  test.for(badPathLabels.map((name) => [brief(name), name] as const))('refuses %s in the path', async ([, name], { api }) => {
    const { status, body } = await sendPath(api, 'GET', `/v1/mentos/streams/${name}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ errors: [{ path: '/name', in: 'path' }] })
  })
})
