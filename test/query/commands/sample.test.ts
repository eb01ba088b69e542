import { describe, expect, test } from 'vitest'
import { rowsOf } from '../../support/runQuery.ts'

describe('sample', () => {
  test('picks the same rows for the same seed, and others for another', async () => {
    const [first, again, other] = await Promise.all([7, 7, 8].map((seed) => rowsOf(`range 5000 || sample 20 --seed ${seed}`)))
    expect(first).toHaveLength(20)
    expect(again).toEqual(first)
    expect(other).not.toEqual(first)
  })

  test('takes seeds that differ only beyond 32 bits for different', async () => {
    expect(await rowsOf('range 5000 || sample 20 --seed 4294967303')).not.toEqual(await rowsOf('range 5000 || sample 20 --seed 7'))
  })

  test('picks afresh without a seed', async () => {
    expect(await rowsOf('range 5000 || sample 20')).not.toEqual(await rowsOf('range 5000 || sample 20'))
  })

  test('keeps the order of the rows, and no row twice', async () => {
    const picked = (await rowsOf('range 5000 || sample 300 --seed 3')).map(({ n }) => Number(n))
    expect(picked).toEqual([...new Set(picked)].toSorted((a, b) => a - b))
  })

  test('picks many rows as it picks few', async () => {
    const [picked, again] = await Promise.all([3, 3].map(async (seed) => (await rowsOf(`range 40000 || sample 20000 --seed ${seed}`)).map(({ n }) => Number(n))))
    expect([picked?.length, again]).toEqual([20_000, picked])
    expect(picked).toEqual([...new Set(picked)].toSorted((a, b) => a - b))
    expect(picked?.filter((n) => n < 20_000).length).toBeGreaterThan(9_500)
    expect(picked?.filter((n) => n >= 20_000).length).toBeGreaterThan(9_500)
    expect(await rowsOf('range 20000 || sample 20001 --seed 1')).toHaveLength(20_000)
  })

  test('gives every row the same chance', async () => {
    const met = Array.from({ length: 10 }, () => 0)
    for (let seed = 0; seed < 2000; seed += 1) {
      for (const { n } of await rowsOf(`range 10 || sample 3 --seed ${seed}`)) met[Number(n)] = (met[Number(n)] ?? 0) + 1
    }
    expect(Math.min(...met)).toBeGreaterThan(520)
    expect(Math.max(...met)).toBeLessThan(680)
  })

  test('of more rows than there are keeps all, and of 0 none', async () => {
    expect(await rowsOf('range 3 || sample 5 --seed 1')).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }])
    expect(await rowsOf('range 3 || sample 0 --seed 1')).toEqual([])
  })
})
