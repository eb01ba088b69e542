import { describe, expect, test } from 'vitest'
import { commands } from '../../../src/query/commands/index.ts'
import { parseQuery } from '../../../src/query/plan.ts'
import { openMemoryCellar } from '../../support/memoryCellar.ts'
import { openOutside } from '../../support/outside.ts'
import { runQuery } from '../../support/runQuery.ts'

const examples = commands.flatMap(({ name, examples }) => examples.map((example) => [name, example] as const))
const runs = (example: string): boolean => parseQuery(example).stages.every(({ command, flags }) => command.run && !command.each && flags['store'] === undefined)
const outside = openOutside({ cellar: openMemoryCellar({ prices: [{ sku: 'a', shop: 'x', price: 1 }] }), queries: () => Promise.resolve([{ id: '1', status: 'failed' }]) })

describe('every command', () => {
  test.for(examples)('%s: its example is understood: %s', ([name, example]) => {
    expect(example.toLowerCase()).toContain(name.toLowerCase())
    expect(parseQuery(example).faults).toEqual([])
  })

  test.for(examples.filter(([, example]) => runs(example)))('%s: its example runs: %s', async ([, example]) => {
    await expect(runQuery(example, { outside })).resolves.toMatchObject({ rows: expect.any(Array) })
  })

  test('has a name of its own', () => {
    const names = commands.flatMap(({ name, aliases = [] }) => [name, ...aliases].map((word) => word.toLowerCase()))
    expect(new Set(names).size).toBe(names.length)
  })
})
