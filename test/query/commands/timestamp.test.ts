import { describe, expect, test } from 'vitest'
import { parseQuery } from '../../../src/query/plan.ts'
import { rowsOf } from '../../support/runQuery.ts'

describe('timestamp', () => {
  test('adds the present time in both forms', async () => {
    const before = Date.now()
    const [row] = await rowsOf('timestamp')
    const epoch = Number(row?.['_timestamp.epoch'])
    expect(epoch).toBeGreaterThanOrEqual(before)
    expect(epoch).toBeLessThanOrEqual(Date.now())
    expect(row?.['_timestamp.iso']).toBe(new Date(epoch).toISOString())
  })

  test('is never cached', () => {
    expect(parseQuery('timestamp').stages[0]?.command.neverCached).toBe(true)
  })
})
