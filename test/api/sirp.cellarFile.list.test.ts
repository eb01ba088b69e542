import { describe, expect } from 'vitest'
import type { CellarFile } from '../../src/contract/sirp/cellarFiles.ts'
import { test } from '../support/api.ts'
import { keepText } from '../support/cellar.ts'
import { expectPageBounds, expectPaging } from '../support/expectPaging.ts'
import { limitedKey } from '../support/limitedKey.ts'
import { expectProblem } from '../support/problems.ts'

const id = 'sirp.cellarFile.list'

describe(id, () => {
  test('answers records without their content in the order of their creation, page by page', async ({ api, sendAs }) => {
    const empty = await sendAs(api.adminKey, id)
    expect(await empty.json()).toEqual({ items: [], total: 0, offset: 0, limit: 100 })
    const records: CellarFile[] = []
    for (const name of ['c.json', 'a', 'b.csv']) records.push(await keepText(api, name, `text of ${name}`))
    await expectPaging((query) => sendAs(api.adminKey, id, { query }), records)
    expect(Object.keys(records[0] ?? {}).toSorted()).toEqual(['bytes', 'contentType', 'createdAt', 'format', 'id', 'name', 'sha256', 'updatedAt', 'version'])
  })

  test('refuses pages beyond the bounds and parameters that it does not know', async ({ api, sendAs }) => {
    await expectPageBounds((query) => sendAs(api.adminKey, id, { query }))
  })

  test('asks for the scope cellar:read', async ({ api, sendAs }) => {
    await expectProblem(await sendAs(await limitedKey(api, 'cellar:write'), id), 'forbidden')
    expect((await sendAs(await limitedKey(api, 'cellar:read'), id)).status).toBe(200)
  })
})
