import { defineCommand } from '../command.ts'
import { boolean, column, otherwise, repeatable, text } from '../params.ts'

export const diff = defineCommand({
  name: 'diff',
  kind: 'reduce',
  summary: 'Compares with a frozen set: _diff is added, removed or changed, with _diff.before.*',
  args: { name: text('Name of the frozen set') },
  flags: {
    key: repeatable(column('A column that tells which rows are the same')),
    all: otherwise(boolean('Also rows that have not changed'), false),
    update: otherwise(boolean('Freezes the new rows afterwards'), false),
  },
  neverCached: true,
  examples: ['thaw prices || diff yesterday --key sku', 'thaw prices || diff yesterday --key shop --key sku --update'],
})
