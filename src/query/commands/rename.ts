import { cellAt, isPattern, pickColumns } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { column } from '../params.ts'
import { setCell, type Row } from '../rows.ts'
import { mapRows } from '../stream.ts'
import { fault } from '../text/fault.ts'

export const rename = defineCommand({
  name: 'rename',
  kind: 'map',
  summary: 'Gives a column another name at the same place; prefix.* to other.* renames all below a prefix',
  args: { old: column('The column, or prefix.*'), new: column('Its new name, or other.*; a column that has it already is replaced') },
  flags: {},
  examples: ["seed '{a: 1, b: 2}' || rename a total", "seed '{page: {url: \"x\", title: \"y\"}}' || rename page.* site.*"],

  check({ args }, { values }) {
    if (isPattern(args.old) === isPattern(args.new)) return []
    const place = values[1] ?? values[0]
    const expected = isPattern(args.old) ? `${args.new}.*` : 'a column name without *'
    return place ? [fault(place.start, place.end, 'a prefix can only become a prefix, and a column only a column', { expected })] : []
  },

  run(batches, { args }) {
    const pick = pickColumns([args.old])
    const [from, to] = isPattern(args.old) ? [args.old.slice(0, -1), args.new.slice(0, -1)] : [args.old, args.new]
    return mapRows(batches, (row) => renameColumns(row, new Map(pick(row).map((name) => [name, to + name.slice(from.length)]))))
  },
})

function renameColumns(row: Row, names: ReadonlyMap<string, string>): Row {
  const taken = new Set(names.values())
  const renamed: Row = {}
  for (const name of Object.keys(row)) {
    const other = names.get(name)
    if (other !== undefined || !taken.has(name)) setCell(renamed, other ?? name, cellAt(row, name))
  }
  return renamed
}
