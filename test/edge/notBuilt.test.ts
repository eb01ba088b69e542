import { describe, expect } from 'vitest'
import { operationList } from '../../src/contract/index.ts'
import { engineOf, notBuilt } from '../../src/services/notBuilt.ts'
import { fillPath } from '../../src/client/index.ts'
import { test, unknownId } from '../support/api.ts'

/** Values for path parameters that are well formed. */
const params = { id: unknownId, stage: '0', type: 'sirp', service: 'sirp', hash: 'a'.repeat(64), queue: 'query', domain: 'a.example', name: 'x' }

describe('operations whose engine is still to come', () => {
  test('are exactly these', () => {
    expect(Object.fromEntries(Object.entries(notBuilt).map(([engine, ids]) => [engine, ids.toSorted()]))).toMatchInlineSnapshot(`
      {
        "the store drivers": [
          "mentos.stream.write",
          "secrets.store.test",
        ],
      }
    `)
  })

  test('answer 501 not_built to what is well formed, behind the same keys as all others', async ({ api }) => {
    for (const [id, { method, path, example }] of operationList.filter(([id]) => engineOf(id) !== undefined)) {
      const url = `${api.url}${fillPath(path, { ...params, ...(id === 'sirp.query.decorate' ? { type: 'attribute' } : {}) })}`
      const body = example === undefined ? {} : { body: JSON.stringify(example) }
      const refused = await fetch(url, { method, ...body })
      expect(refused.status, id).toBe(401)
      const answered = await fetch(url, { method, ...body, headers: { authorization: `svc ${api.adminKey}`, 'content-type': 'application/json' } })
      expect(await answered.json(), id).toMatchObject({ status: 501, code: 'not_built' })
    }
  })

  test('say which engine they wait for', async ({ call }) => {
    await expect(call('mentos.stream.write', { body: { config: { stream: { store: 'x' }, rows: [] } } })).rejects.toMatchObject({ status: 501, code: 'not_built', message: expect.stringContaining('the store drivers') })
  })
})
