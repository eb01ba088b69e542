import { describe, expect, test } from 'vitest'
import { parseQuery } from '../../../src/query/plan.ts'
import { rowsOf, runQuery } from '../../support/runQuery.ts'
import { faultsOf } from '../../support/seedRows.ts'

describe('parseTimestamp', () => {
  const march = '2024-03-01T12:00:00.000Z'
  test.for([
    ['2024-03-01T12:00:00Z', march],
    ['2024-03-01T13:00:00+01:00', march],
    ['2024-03-01 12:00:00', march],
    ['20240301T120000Z', march],
    ['Fri, 01 Mar 2024 12:00:00 GMT', march],
    ['Fri, 01 Mar 2024 13:00:00 +0100', march],
    ['1709294400', march],
    ['1709294400000', march],
    ['1709294400.25', '2024-03-01T12:00:00.250Z'],
    ['-1709294400', '1915-11-02T12:00:00.000Z'],
    ['20240301120000', march],
    ['20240301', '2024-03-01T00:00:00.000Z'],
    ['2024', '2024-01-01T00:00:00.000Z'],
    ['2024-W09-5', '2024-03-01T00:00:00.000Z'],
    ['March 1, 2024', '2024-03-01T00:00:00.000Z'],
    ['Mar 1, 2024, 12:00 PM', march],
    ['1 March 2024 12:00', march],
    ['01.03.2024 12:00', march],
    ['3/1/2024', '2024-03-01T00:00:00.000Z'],
    ['2024/03/01', '2024-03-01T00:00:00.000Z'],
    [' 2024-03-01 ', '2024-03-01T00:00:00.000Z'],
  ] as const)('reads %s', async ([text, iso]) => {
    const { rows, warnings } = await runQuery(`addcolumn t '${text}' || parseTimestamp t`)
    expect(rows).toEqual([{ t: text, '_timestamp.epoch': Date.parse(iso), '_timestamp.iso': iso }])
    expect(warnings).toEqual([])
  })

  test('reads numbers as seconds or milliseconds', async () => {
    const rows = await rowsOf("seed '[{t: 1709294400}, {t: 1709294400000}, {t: 0}]' || parseTimestamp t || table _timestamp.epoch")
    expect(rows.map((row) => row['_timestamp.epoch'])).toEqual([1_709_294_400_000, 1_709_294_400_000, 0])
  })

  test.for(['', 'soon', '12:30', '31/12/2024', '2024-13-01', '99999999999999999', 'true'])('gives null and a warning for %s', async (text) => {
    const { rows, warnings } = await runQuery(`addcolumn t '${text}' || parseTimestamp t`)
    expect(rows).toEqual([{ t: text, '_timestamp.epoch': null, '_timestamp.iso': null }])
    expect(warnings).toHaveLength(1)
  })

  test('warns of a few rows only', async () => {
    const { rows, warnings } = await runQuery('range 3000 || addcolumn t soon || parseTimestamp t')
    expect(rows).toHaveLength(3000)
    expect(warnings).toHaveLength(11)
  })

  test('reads a format in a zone, through the change to summer time', async () => {
    const query = `seed '[{t: "30/03/2024 12:00"}, {t: "31/03/2024 12:00"}]' || parseTimestamp t --format 'dd/MM/yyyy HH:mm' --zone Europe/Berlin`
    expect((await rowsOf(query)).map((row) => row['_timestamp.iso'])).toEqual(['2024-03-30T11:00:00.000Z', '2024-03-31T10:00:00.000Z'])
  })

  test('takes the zone only where the text names none', async () => {
    const query = `seed '[{t: "2024-03-01 12:00"}, {t: "2024-03-01T12:00Z"}]' || parseTimestamp t --zone UTC+2`
    expect((await rowsOf(query)).map((row) => row['_timestamp.iso'])).toEqual(['2024-03-01T10:00:00.000Z', '2024-03-01T12:00:00.000Z'])
  })

  test('reads numbers by a format', async () => {
    expect(await rowsOf('addcolumn t 20240301 || parseTimestamp t --format yyyyMMdd || table _timestamp.iso')).toEqual([{ '_timestamp.iso': '2024-03-01T00:00:00.000Z' }])
  })

  test.for(['HH:mm a', 'yyyy-ooo-MM', 'yyyy-MM W'])('reports the format %s, whose letters do not go together', (format) => {
    expect(faultsOf(`range 1 || parseTimestamp n --format '${format}'`)).toMatchObject([{ at: `'${format}'`, message: expect.stringMatching(/^is no format of times: Can't /) }])
  })

  test('reports a format that is too long to be one', () => {
    expect(faultsOf(`range 1 || parseTimestamp n --format "${'y'.repeat(201)}"`)).toMatchObject([{ message: 'is no format of times: it has more than 200 characters' }])
  })

  test('reports a zone that is none', () => {
    expect(parseQuery('range 1 || parseTimestamp n --zone Europe/Nowhere').faults).toMatchObject([{ message: 'there is no time zone Europe/Nowhere' }])
  })
})
