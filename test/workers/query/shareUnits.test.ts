import { describe, expect, test } from 'vitest'
import { shareUnits } from '../../../workers/query/shareUnits.ts'

describe('the units of a stage', () => {
  test.for([
    ['few rows are few units', { rows: 5, rowsPerJob: 50, rowsAtOnce: 64, inTurn: false, processes: 1 }, { rowsPerUnit: 2, unitsAtOnce: 64 }],
    ['many rows share units, as far as the command allows', { rows: 2_000, rowsPerJob: 256, rowsAtOnce: 64, inTurn: false, processes: 1 }, { rowsPerUnit: 256, unitsAtOnce: 4 }],
    ['more processes have more and smaller units at once', { rows: 2_000, rowsPerJob: 256, rowsAtOnce: 16, inTurn: false, processes: 4 }, { rowsPerUnit: 8, unitsAtOnce: 16 }],
    ['rows that run in turn are spread over all lanes', { rows: 12, rowsPerJob: 10, rowsAtOnce: 4, inTurn: true, processes: 1 }, { rowsPerUnit: 2, unitsAtOnce: 4 }],
    ['a costly command has a row a unit', { rows: 10_000, rowsPerJob: 1, rowsAtOnce: 4, inTurn: false, processes: 2 }, { rowsPerUnit: 1, unitsAtOnce: 16 }],
  ] as const)('%s', ([, sharing, units]) => {
    expect(shareUnits(sharing)).toEqual(units)
  })
})
