import { defineCommand } from '../command.ts'
import { parseXml } from '../formats/xml.ts'
import { oneColumn } from '../params.ts'
import { parseColumn } from '../parsedColumn.ts'
import { warnOfSome } from '../warnings.ts'

export const xml = defineCommand({
  name: 'xml',
  kind: 'map',
  summary: 'Parses XML in a column: column.* in place of it, every child element as a list',
  args: { column: oneColumn('The column that holds XML') },
  flags: {},
  examples: ["addcolumn doc '<a><b>1</b><b>2</b></a>' || xml doc", "addcolumn doc '<a x=\"1\">text</a>' || xml doc || table doc.a.*"],

  run(batches, { args, context }) {
    return parseColumn(batches, { column: args.column, parse: parseXml, rows: false, warn: warnOfSome(context) })
  },
})
