import { describe, expect } from 'vitest'
import { inTurn } from '../../../src/services/workers/turns.ts'
import { startApi, test } from '../../support/api.ts'

describe('what is done in turn', () => {
  test('is done by one process of a kind at a time, also after one that failed', async ({ api }) => {
    const other = await startApi(api.settings)
    let [atOnce, most] = [0, 0]
    const work = async (): Promise<void> => {
      atOnce += 1
      most = Math.max(most, atOnce)
      await api.house.redis.ping()
      await other.house.redis.ping()
      atOnce -= 1
    }
    const failing = inTurn(other.house, 'query', () => Promise.reject(new Error('no')))
    await Promise.all([inTurn(api.house, 'query', work), inTurn(other.house, 'query', work), inTurn(api.house, 'query', work), expect(failing).rejects.toThrow('no')])
    expect(most).toBe(1)
    await other.close()
  })

  test('waits for no other kind', async ({ api }) => {
    const seen: string[] = []
    await inTurn(api.house, 'query', () => inTurn(api.house, 'browser', () => Promise.resolve(void seen.push('inside'))))
    expect(seen).toEqual(['inside'])
  })
})
