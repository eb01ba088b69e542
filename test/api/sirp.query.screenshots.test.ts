import { createHash } from 'node:crypto'
import { describe, expect } from 'vitest'
import type { House } from '../../src/services/house.ts'
import { test, unknownId } from '../support/api.ts'
import { keepQuery, keepStage } from '../support/keptQueries.ts'

const id = 'sirp.query.screenshots'

/** Stores a picture that a run of a stage took; answers its hash. */
async function keepPicture({ pool }: House, queryId: string, stage: number, index: number): Promise<string> {
  const hash = createHash('sha256').update(`${queryId} ${stage} ${index}`).digest('hex')
  await pool.query(`INSERT INTO screenshots (hash, type, width, height, bytes, data) VALUES ($1, 'png', 1, 1, 1, '')`, [hash])
  await pool.query('INSERT INTO query_screenshots (query_id, stage, index, hash) VALUES ($1, $2, $3, $4)', [queryId, stage, index, hash])
  return hash
}

describe(id, () => {
  test('answers an empty page for a query that took none', async ({ api, call }) => {
    const queryId = await keepQuery(api.house)
    expect(await call(id, { params: { id: queryId } })).toEqual({ items: [], total: 0, offset: 0, limit: 100 })
    expect(await call(id, { params: { id: queryId }, query: { offset: 5, limit: 7 } })).toEqual({ items: [], total: 0, offset: 5, limit: 7 })
  })

  test('shows what templates took as taken by the stages that ran them', async ({ api, call }) => {
    const [own, inner] = [await keepQuery(api.house, { stagesTotal: 3 }), { mode: 'turbo', stagesTotal: 2 }]
    const child = await keepQuery(api.house, { ...inner, parentId: own, parentStage: 1 })
    const grandchild = await keepQuery(api.house, { ...inner, parentId: child, parentStage: 0 })
    for (const [queryId, stage] of [[own, 0], [own, 2], [child, 1], [grandchild, 0]] as const) await keepStage(api.house, queryId, stage)
    const last = await keepPicture(api.house, own, 2, 0)
    const [second, third] = [await keepPicture(api.house, grandchild, 0, 3), await keepPicture(api.house, child, 1, 0)]
    const first = await keepPicture(api.house, own, 0, 0)
    const shown = async (queryId: string) => (await call(id, { params: { id: queryId } })).items.map(({ hash, stage }) => [hash, stage])
    expect(await shown(own)).toEqual([[first, 0], [second, 1], [third, 1], [last, 2]])
    expect(await shown(child)).toEqual([[second, 0], [third, 1]])
    expect(await call(id, { params: { id: own }, query: { offset: 1, limit: 1 } })).toMatchObject({ total: 4, items: [{ hash: second, stage: 1 }] })
    await api.house.db.query.update({ where: { id: own }, data: { cleanup: true, finishedAt: new Date() } })
    expect(await shown(own)).toEqual([])
  })

  test('answers not_found for an id that nothing has', async ({ call }) => {
    await expect(call(id, { params: { id: unknownId } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
  })
})
