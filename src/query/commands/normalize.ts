import { anyNumber } from '../bounds.ts'
import { cellAt, withCells } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { column } from '../params.ts'
import { setCell, type Row } from '../rows.ts'
import { expandRows } from '../stream.ts'
import { warnOfSome } from '../warnings.ts'

export const normalize = defineCommand({
  name: 'normalize',
  kind: 'map',
  summary: 'Makes a row per index below a prefix, drops prefix and index, and repeats the other columns',
  args: { prefix: column('What stands before the index: items for items.0.name') },
  flags: {},
  examples: ["seed '{shop: 1, items: [{name: \"a\"}, {name: \"b\"}]}' || normalize items", "seed '{tags: [\"x\", \"y\"]}' || normalize tags"],
  rows: () => anyNumber,

  run(batches, { args, context }) {
    const prefix = args.prefix.replace(/\.\*$|\.$/, '')
    const warn = warnOfSome(context)
    return expandRows(batches, function* (row) {
      const { items, others } = separate(row, `${prefix}.`)
      if (items.size === 0) warn(`the row has no ${prefix}.0, and so makes no row`)
      for (const index of [...items.keys()].toSorted((a, b) => a - b)) yield withCells(others, items.get(index) ?? {})
    })
  },
})

const indexed = /^(0|[1-9]\d{0,14})(?:\.(.+))?$/s

/** The columns below each index, and those that belong to none; an item that is a bare value is the column `value`. */
function separate(row: Row, prefix: string): { items: Map<number, Row>; others: Row } {
  const items = new Map<number, Row>()
  const others: Row = {}
  for (const name of Object.keys(row)) {
    const found = name.startsWith(prefix) ? indexed.exec(name.slice(prefix.length)) : null
    if (!found) {
      setCell(others, name, cellAt(row, name))
      continue
    }
    const index = Number(found[1])
    const item = items.get(index) ?? {}
    items.set(index, item)
    setCell(item, found[2] ?? 'value', cellAt(row, name))
  }
  return { items, others }
}
