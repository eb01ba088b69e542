import { describe, expect, test } from 'vitest'
import type { FileWriting } from '../../../src/query/outside.ts'
import { openMemoryCellar } from '../../support/memoryCellar.ts'
import { openOutside } from '../../support/outside.ts'
import { runQuery } from '../../support/runQuery.ts'
import { faultsOf } from '../../support/seedRows.ts'

async function frozen(text: string) {
  const cellar = openMemoryCellar()
  const { rows } = await runQuery(text, { outside: openOutside({ cellar }) })
  return { rows, written: cellar.written }
}

describe('freeze', () => {
  test('writes the rows and passes them on', async () => {
    const { rows, written } = await frozen('range 2500 || freeze numbers')
    expect(rows).toHaveLength(2500)
    expect(written.get('numbers')).toEqual({ rows, format: 'ndjson', append: false })
  })

  test.for([
    ['freeze a.csv', 'csv'],
    ['freeze a.JSON', 'json'],
    ['freeze a.ndjson', 'ndjson'],
    ['freeze a.parquet', 'parquet'],
    ['freeze a.txt', 'ndjson'],
    ['freeze csv', 'ndjson'],
    ['freeze a.csv --format json', 'json'],
  ])('writes the format that is asked for, else that of the ending: %s', async ([command, format]) => {
    const { written } = await frozen(`range 1 || ${command}`)
    expect([...written.values()]).toEqual([{ rows: [{ n: 0 }], format, append: false }])
  })

  test('writes all rows also where the stage behind it wants only some', async () => {
    const { rows, written } = await frozen('range 5000 || freeze numbers || head 1')
    expect(rows).toEqual([{ n: 0 }])
    expect(written.get('numbers')?.rows).toHaveLength(5000)
  })

  test('writes an empty file of no rows', async () => {
    expect((await frozen('range 0 || freeze none')).written.get('none')?.rows).toEqual([])
  })

  test('appends where it is told to', async () => {
    expect((await frozen('range 1 || freeze log --append')).written.get('log')).toMatchObject({ append: true })
  })

  test('does not end the file when a stage before it fails', async () => {
    const cellar = openMemoryCellar()
    const failing = "range 3000 || freeze first || thaw missing || freeze second"
    await expect(runQuery(failing, { outside: openOutside({ cellar }) })).rejects.toMatchObject({ code: 'not_found' })
    expect(cellar.written.has('second')).toBe(false)
  })

  test('ends with the reason when it is cancelled in the midst of writing', async () => {
    const cancel = new AbortController()
    const writing: FileWriting = { add: async () => cancel.abort(new Error('cancelled')), end: () => Promise.reject(new Error('must not end')) }
    const outside = openOutside({ cellar: { ...openMemoryCellar(), write: () => writing } })
    await expect(runQuery('range 5000 || freeze numbers || head 1', { outside, signal: cancel.signal })).rejects.toThrow('cancelled')
  })

  test('refuses a key without a store, a name that no file can have, and an append to Parquet', () => {
    expect(faultsOf('range 1 || freeze a --key b')).toMatchObject([{ at: 'freeze', message: expect.stringContaining('no --store') }])
    expect(faultsOf("range 1 || freeze 'a/b'")).toMatchObject([{ at: "'a/b'" }])
    expect(faultsOf('range 1 || freeze a.parquet --append')).toMatchObject([{ at: 'freeze', message: 'rows cannot be appended to a Parquet file' }])
    expect(faultsOf('range 1 || freeze a.parquet --append --format csv')).toEqual([])
  })
})
