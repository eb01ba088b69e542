import { describe, expect, test } from 'vitest'
import { commands } from '../../../src/query/commands/index.ts'
import { parseQuery } from '../../../src/query/plan.ts'
import { runQuery } from '../../support/runQuery.ts'

const examples = commands.flatMap(({ name, examples }) => examples.map((example) => [name, example] as const))

describe('every command', () => {
  test.for(examples)('%s: its example is understood: %s', ([name, example]) => {
    expect(example.toLowerCase()).toContain(name.toLowerCase())
    expect(parseQuery(example).faults).toEqual([])
  })

  test.for(examples.filter(([, example]) => parseQuery(example).stages.every(({ command }) => command.run)))('%s: its example runs: %s', async ([, example]) => {
    await expect(runQuery(example)).resolves.toMatchObject({ rows: expect.any(Array) })
  })

  test('has a name of its own', () => {
    const names = commands.flatMap(({ name, aliases = [] }) => [name, ...aliases].map((word) => word.toLowerCase()))
    expect(new Set(names).size).toBe(names.length)
  })
})
