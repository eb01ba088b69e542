import { anyNumber } from '../bounds.ts'
import { serialize } from 'parse5'
import { Problem } from '../../platform/errors.ts'
import { withCells, withoutBelow } from '../columns.ts'
import { defineCommand } from '../command.ts'
import { innerTextOf } from '../html/innerText.ts'
import { elementsOf, parseHtml, type HtmlElement, type HtmlParent } from '../html/parseHtml.ts'
import { checkSelector, selectElements } from '../html/selectElements.ts'
import { oneColumn, optional, type Param } from '../params.ts'
import { reasonOf, textAt } from '../parsedColumn.ts'
import type { Row } from '../rows.ts'
import { expandRows } from '../stream.ts'
import { fault } from '../text/fault.ts'
import { warnOfSome } from '../warnings.ts'

/** Most characters of HTML that the elements of one text may hold together: nested ones repeat what is inside them. */
const maxMadeChars = 64 * 2 ** 20

const selector: Param<string> = {
  type: 'selector',
  doc: 'A CSS selector of the elements; without it every element is a row',
  raw: true,
  read: (piece) => {
    const reason = reasonAgainst(piece.text)
    return { value: piece.text, shown: piece.text, faults: reason === null ? [] : [fault(piece.start, piece.end, `is not a CSS selector: ${reason}`, { expected: 'a CSS selector such as a.title' })] }
  },
}

export const html = defineCommand({
  name: 'html',
  kind: 'map',
  summary: 'Parses HTML in a column: a row an element, with _html.nodeName, innerText, innerHTML and attributes.*, and the columns of the row',
  args: { column: oneColumn('The column that holds HTML') },
  flags: { selector: optional(selector) },
  examples: ["addcolumn page '<p>one</p><p>two</p>' || html page", "addcolumn page '<a href=\"/x\">x</a><b>y</b>' || html page --selector 'a[href]' || table _html.attributes.href"],
  rows: () => anyNumber,

  run(batches, { args, flags, context }) {
    const warn = warnOfSome(context)
    return expandRows(batches, function* (row) {
      const text = textAt(row, args.column)
      const parsed = text === null ? null : parseText(text, (error) => warn(reasonOf(args.column, error)))
      if (!parsed) return
      const others = withoutBelow(row, '_html.')
      let madeChars = 0
      for (const element of flags.selector === undefined ? parsed.elements : selectElements(flags.selector, parsed.root)) {
        const cells = cellsOf(element)
        madeChars += String(cells['_html.innerHTML']).length
        if (madeChars > maxMadeChars) throw new Problem('unprocessable', `The elements of ${args.column} repeat each other's HTML beyond ${maxMadeChars} characters. Choose fewer of them with --selector.`)
        yield withCells(others, cells)
      }
    })
  },
})

function parseText(text: string, refused: (error: unknown) => void): { root: HtmlParent; elements: HtmlElement[] } | null {
  try {
    const root = parseHtml(text)
    return { root, elements: elementsOf(root) }
  } catch (error) {
    refused(error)
    return null
  }
}

function cellsOf(element: HtmlElement): Row {
  const cells: Row = { '_html.nodeName': element.tagName.toUpperCase() }
  for (const { prefix, name, value } of element.attrs) cells[`_html.attributes.${prefix ? `${prefix}:` : ''}${name}`] = value
  cells['_html.innerText'] = innerTextOf(element)
  cells['_html.innerHTML'] = serialize(element)
  return cells
}

function reasonAgainst(text: string): string | null {
  try {
    checkSelector(text)
    return null
  } catch (error) {
    return (error as Error).message
  }
}
