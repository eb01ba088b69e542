import { describe, expect, test } from 'vitest'
import { openOutside } from '../../support/outside.ts'
import { runQuery } from '../../support/runQuery.ts'
import { faultsOf } from '../../support/seedRows.ts'

describe('queries', () => {
  test('asks for recent queries, and answers a row each with the same columns', async () => {
    const asked: unknown[] = []
    const queries = (filter: unknown) => {
      asked.push(filter)
      return Promise.resolve([{ id: 'q', status: 'failed', 'error.code': 'internal', other: 1 }])
    }
    const outside = openOutside({ queries })
    expect((await runQuery('queries --status failed --limit 20', { outside })).rows).toEqual([
      { id: 'q', query: null, status: 'failed', mode: null, rows: null, createdAt: null, startedAt: null, finishedAt: null, 'error.code': 'internal', 'error.detail': null },
    ])
    await runQuery('queries', { outside })
    expect(asked).toEqual([{ status: 'failed', limit: 20 }, { status: undefined, limit: 100 }])
  })

  test('refuses states that there are not, and limits beyond its bounds', () => {
    expect(faultsOf('queries --status faild')).toMatchObject([{ at: 'faild', hint: 'failed' }])
    expect(faultsOf('queries --limit 10001')).toMatchObject([{ at: '10001' }])
  })
})
