import { describe, expect, test } from 'vitest'
import { Gate } from '../../../workers/query/gate.ts'

/** Lets named work wait at a gate, and tells in which order it was let in. */
function stand(width: number) {
  const gate = new Gate(width)
  const entered: string[] = []
  const ends = new Map<string, () => void>()
  return {
    gate,
    entered,
    come(name: string, party: string, rank: number): Promise<void> {
      return gate.pass({ party, rank }, () => {
        entered.push(name)
        return new Promise((end) => void ends.set(name, end))
      })
    },
    async end(name: string): Promise<void> {
      ends.get(name)?.()
      await new Promise((settled) => setImmediate(settled))
    },
  }
}

describe('a gate', () => {
  test('lets so many pass at once, and the next when one has gone', async () => {
    const { come, end, entered, gate } = stand(2)
    for (const name of ['a', 'b', 'c', 'd', 'e']) void come(name, 'one', 1)
    expect(entered).toEqual(['a', 'b'])
    expect(gate.isCrowded).toBe(true)
    await end('b')
    expect(entered).toEqual(['a', 'b', 'c'])
    await end('a')
    await end('c')
    expect(entered).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(gate.isCrowded).toBe(false)
  })

  test('lets the lower rank of a party in first, whenever it came', async () => {
    const { come, end, entered } = stand(1)
    void come('busy', 'one', 1)
    void come('third', 'one', 3)
    void come('second', 'one', 2)
    void come('second again', 'one', 2)
    void come('first', 'one', 1)
    for (const name of ['busy', 'first', 'second', 'second again', 'third']) await end(name)
    expect(entered).toEqual(['busy', 'first', 'second', 'second again', 'third'])
  })

  test('serves parties in turn, however many of one of them wait', async () => {
    const { come, end, entered } = stand(1)
    for (let index = 1; index <= 5; index += 1) void come(`many ${index}`, 'many', index)
    void come('few 1', 'few', 9)
    void come('few 2', 'few', 9)
    for (const name of ['many 1', 'many 2', 'few 1', 'many 3', 'few 2', 'many 4', 'many 5']) await end(name)
    expect(entered).toEqual(['many 1', 'many 2', 'few 1', 'many 3', 'few 2', 'many 4', 'many 5'])
  })

  test('leaves the place of one who steps out to another, and has it wait for the next', async () => {
    const { gate, come, end, entered } = stand(1)
    let back = (): void => undefined
    const place = { party: 'one', rank: 1 }
    const stepping = gate.pass(place, async () => {
      await gate.stepOut(place, () => new Promise((resolve) => (back = resolve)))
      entered.push('is back')
    })
    void come('other', 'one', 2)
    await end('nobody')
    expect(entered).toEqual(['other'])
    back()
    await end('nobody')
    expect(entered).toEqual(['other'])
    await end('other')
    await stepping
    expect(entered).toEqual(['other', 'is back'])
  })

  test('is free again after a failure', async () => {
    const { gate, come, entered } = stand(1)
    await expect(gate.pass({ party: 'one', rank: 1 }, () => Promise.reject(new Error('fails')))).rejects.toThrow('fails')
    void come('next', 'one', 1)
    expect(entered).toEqual(['next'])
  })
})
