import { cellAt, withCells, withoutBelow } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { asText } from '../expressions/values.ts'
import { oneColumn } from '../params.ts'
import { setCell, type Row } from '../rows.ts'
import { mapRows } from '../stream.ts'
import { warnOfSome } from '../warnings.ts'

export const urlparse = defineCommand({
  name: 'urlparse',
  kind: 'map',
  summary: 'Takes an address apart: _url.protocol, host, hostname, port, path, hash and query.*',
  args: { column: oneColumn('The column that holds the address') },
  flags: {},
  examples: ["addcolumn u 'https://example.com:8080/a?q=1#top' || urlparse u", "seed '[{u: \"https://a.example/\"}, {u: \"https://b.example/x?tag=1&tag=2\"}]' || urlparse u || table _url.hostname _url.query.*"],

  run(batches, { args, context }) {
    const warn = warnOfSome(context)
    return mapRows(batches, (row) => {
      const text = asText(cellAt(row, args.column))
      const url = URL.canParse(text) ? new URL(text) : null
      if (!url) warn(`${args.column} is not a whole address: ${text.slice(0, 100)}`)
      return withCells(withoutBelow(row, '_url.query.'), { ...partsOf(url), ...queryOf(url) })
    })
  },
})

function partsOf(url: URL | null): Row {
  return {
    '_url.protocol': url?.protocol ?? null,
    '_url.host': url?.host ?? null,
    '_url.hostname': url?.hostname ?? null,
    '_url.port': url?.port ?? null,
    '_url.path': url?.pathname ?? null,
    '_url.hash': url?.hash ?? null,
  }
}

/** A name that is given several times becomes a list. */
function queryOf(url: URL | null): Row {
  const values = new Map<string, string[]>()
  for (const [name, value] of url?.searchParams ?? []) {
    const known = values.get(name)
    if (known) known.push(value)
    else values.set(name, [value])
  }
  const cells: Row = {}
  for (const [name, list] of values) {
    for (const [index, value] of list.entries()) setCell(cells, list.length === 1 ? `_url.query.${name}` : `_url.query.${name}.${index}`, value)
  }
  return cells
}
