import { anyNumber } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { fileName } from '../fileName.ts'
import { frozenFormat } from '../formats/frozenFormat.ts'
import type { Cellar } from '../outside.ts'
import { boolean, column, optional, otherwise, repeatable, rest } from '../params.ts'
import { Pace } from '../pace.ts'
import { passOn } from '../passOn.ts'
import { formed, withoutMarks } from '../reduce/diff/compareRows.ts'
import { diffRows } from '../reduce/diff/diffRows.ts'
import { frozenForm } from '../reduce/diff/frozenForm.ts'
import { rowKey, shortKey } from '../reduce/rowKey.ts'
import type { Batch, Row } from '../rows.ts'
import { mapRows } from '../stream.ts'
import { fault } from '../text/fault.ts'

export const diff = defineCommand({
  name: 'diff',
  kind: 'reduce',
  summary: 'Compares with a frozen set: _diff is added, removed or changed, with _diff.before.*',
  args: { name: fileName('Name of the frozen set'), columns: optional(rest(column('Further columns of the key, behind --key'))) },
  flags: {
    key: repeatable(column('A column that tells which rows are the same')),
    all: otherwise(boolean('Also rows that have not changed'), false),
    update: otherwise(boolean('Freezes the new rows afterwards'), false),
  },
  neverCached: true,
  examples: ['thaw prices || diff yesterday --key sku', 'thaw prices || diff yesterday --key shop --key sku --update'],
  rows: () => anyNumber,

  check({ args: { columns = [] }, flags }, { values }) {
    const place = values[1]
    if (!place || columns.length === 0 || flags.key.length > 0) return []
    return [fault(place.start, place.end, 'diff takes columns only with --key', { expected: `--key ${place.text}` })]
  },

  run(batches, { args: { name, columns = [] }, flags, context }) {
    const { cellar } = context.outside
    const format = frozenFormat(name)
    const form = frozenForm(format)
    const keyOf = rowKey([...flags.key, ...columns])
    const rows = mapRows(batches, withoutMarks)
    const fresh = flags.update ? passOn(rows, cellar.write(name, { format, append: false }), context.signal) : rows
    const comparison = { keyOf: (row: Row) => shortKey(keyOf(form ? formed(row, form) : row)), form, all: flags.all }
    return diffRows(mapRows(frozenRows(cellar, name), withoutMarks), fresh, comparison, { scratch: context.scratch, pace: new Pace(context.signal), level: 0 })
  },
})

/** A set that nobody has frozen yet is empty, so that the first run can be like all others. */
async function* frozenRows(cellar: Cellar, name: string): AsyncGenerator<Batch> {
  if (await cellar.has(name)) yield* cellar.rows(name)
}
