import { describe, expect, test } from 'vitest'
import { shareUnits } from '../../../workers/query/shareUnits.ts'

describe('the units of a stage', () => {
  test.for([
    ['few rows are a unit each', { rows: 5, rowsPerJob: 50, rowsAtOnce: 64, processes: 1 }, { rowsPerUnit: 1, unitsAtOnce: 128 }],
    ['many rows share units, as far as the command allows', { rows: 2_000, rowsPerJob: 32, rowsAtOnce: 64, processes: 1 }, { rowsPerUnit: 32, unitsAtOnce: 4 }],
    ['more processes have more units at once', { rows: 2_000, rowsPerJob: 50, rowsAtOnce: 16, processes: 4 }, { rowsPerUnit: 8, unitsAtOnce: 16 }],
    ['a costly command has a row a unit', { rows: 10_000, rowsPerJob: 1, rowsAtOnce: 4, processes: 2 }, { rowsPerUnit: 1, unitsAtOnce: 16 }],
  ] as const)('%s', ([, sharing, units]) => {
    expect(shareUnits(sharing)).toEqual(units)
  })
})
