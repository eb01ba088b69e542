import { describe, expect } from 'vitest'
import { reapRows } from '../../../../src/services/sirp/engine/reap.ts'
import { test } from '../../../support/api.ts'
import { keepQuery } from '../../../support/keptQueries.ts'

describe('queries whose time has passed', () => {
  test('are all removed, however many they are, and no others', async ({ api: { house } }) => {
    const kept = await keepQuery(house, { status: 'completed', expiresAt: new Date(Date.now() + 60_000) })
    await Promise.all(Array.from({ length: 250 }, () => keepQuery(house, { status: 'completed', expiresAt: new Date(Date.now() - 1_000) })))
    await reapRows(house)
    expect(await house.db.query.findMany({ select: { id: true } })).toEqual([{ id: kept }])
  })

  test('stay while the query that runs them as a template has not ended', async ({ api: { house } }) => {
    const parent = await keepQuery(house, { status: 'running' })
    const child = await keepQuery(house, { status: 'completed', parentId: parent, expiresAt: new Date(Date.now() - 1_000) })
    const isThere = async (): Promise<boolean> => (await house.db.query.count({ where: { id: child } })) === 1
    await reapRows(house)
    expect(await isThere()).toBe(true)
    await house.db.query.update({ where: { id: parent }, data: { status: 'completed' } })
    await reapRows(house)
    expect(await isThere()).toBe(false)
  })
})
