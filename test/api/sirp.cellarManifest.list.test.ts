import { describe, expect } from 'vitest'
import type { Manifest } from '../../src/contract/sirp/cellarManifests.ts'
import { test } from '../support/api.ts'
import { expectPageBounds, expectPaging } from '../support/expectPaging.ts'
import { limitedKey } from '../support/limitedKey.ts'
import { addManifest } from '../support/manifests.ts'
import { expectProblem } from '../support/problems.ts'

const id = 'sirp.cellarManifest.list'

describe(id, () => {
  test('answers whole records in the order of their creation, page by page', async ({ api, sendAs }) => {
    expect(await (await sendAs(api.adminKey, id)).json()).toEqual({ items: [], total: 0, offset: 0, limit: 100 })
    const records: Manifest[] = []
    for (const name of ['c', 'a', 'b']) records.push(await addManifest(api, name))
    await expectPaging((query) => sendAs(api.adminKey, id, { query }), records)
  })

  test('refuses pages beyond the bounds and parameters that it does not know', async ({ api, sendAs }) => {
    await expectPageBounds((query) => sendAs(api.adminKey, id, { query }))
  })

  test('asks for the scope cellar:read', async ({ api, sendAs }) => {
    await expectProblem(await sendAs(await limitedKey(api, 'cellar:write'), id), 'forbidden')
    expect((await sendAs(await limitedKey(api, 'cellar:read'), id)).status).toBe(200)
  })
})
