import { createHash } from 'node:crypto'
import { cellAt, pickColumns } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { asText } from '../expressions/values.ts'
import { boolean, column, integer, otherwise, rest } from '../params.ts'
import { setCell } from '../rows.ts'
import { mapRows } from '../stream.ts'

export const mask = defineCommand({
  name: 'mask',
  kind: 'map',
  summary: 'Hides the values of columns behind asterisks',
  args: { columns: rest(column('A column, or prefix.* for all below a prefix')) },
  flags: {
    keep: otherwise(integer('How many of the last characters stay; a value that is no longer than that is hidden whole'), 0),
    hash: otherwise(boolean('Puts the SHA-256 of the value in place of the asterisks, so that equal values stay equal'), false),
  },
  examples: ["addcolumn card '4111111111111111' || mask card --keep 4", "seed '[{user: \"ada\"}, {user: \"ada\"}]' || mask user --hash"],

  run(batches, { args, flags }) {
    const pick = pickColumns(args.columns)
    return mapRows(batches, (row) => {
      const masked = { ...row }
      for (const name of pick(row)) {
        const cell = cellAt(row, name)
        if (cell !== null) setCell(masked, name, hide(asText(cell), flags.keep, flags.hash))
      }
      return masked
    })
  },
})

function hide(text: string, keep: number, hashed: boolean): string {
  const characters = Array.from(text)
  const kept = keep > 0 && characters.length > keep ? characters.slice(-keep) : []
  const hidden = hashed ? createHash('sha256').update(text).digest('hex') : '*'.repeat(characters.length - kept.length)
  return hidden + kept.join('')
}
