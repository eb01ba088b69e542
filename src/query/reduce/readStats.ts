import { fault, type Fault } from '../text/fault.ts'
import { nearest } from '../text/nearest.ts'
import type { ValuePiece } from '../text/syntax.ts'
import type { AggregateColumn } from './aggregateRows.ts'
import { aggregateNames, countAll, findAggregate } from './aggregates.ts'

/** What `stats` is asked for, and what is wrong with it. */
export interface Stats {
  readonly columns: readonly AggregateColumn[]
  readonly by: readonly string[]
  readonly faults: readonly Fault[]
}

const known = ['count', ...aggregateNames.map((name) => `${name}(column)`)].join(', ')

/** Reads `count sum(price) as total by shop`; behind `as` and `by` every word is a name, also these two. */
export function readStats(words: readonly ValuePiece[]): Stats {
  const { items, byWord, by } = cut(words)
  const faults: Fault[] = []
  const columns: AggregateColumn[] = []
  const taken = new Set(by.map(({ text }) => text))
  if (byWord && by.length === 0) faults.push(missing(byWord, 'by needs a column', 'a column'))
  if (items.length === 0) faults.push(missing(words[0], 'stats needs an aggregate', known))
  for (const { word, asWord, name } of items) {
    if (asWord && !name) faults.push(missing(asWord, 'as needs a name', 'a name for the column'))
    const column = readAggregate(word, name?.text, faults)
    if (!column) continue
    if (taken.has(column.name)) faults.push(fault(word.start, (name ?? word).end, `two columns would be named ${column.name}`, { expected: 'as and another name' }))
    taken.add(column.name)
    columns.push(column)
  }
  return { columns, by: by.map(({ text }) => text), faults }
}

/** Whether the words of `stats` ask for groups. */
export const asksForGroups = (words: readonly ValuePiece[]): boolean => cut(words).by.length > 0

interface Item {
  readonly word: ValuePiece
  readonly asWord: ValuePiece | undefined
  readonly name: ValuePiece | undefined
}

function cut(words: readonly ValuePiece[]): { items: Item[]; byWord?: ValuePiece; by: readonly ValuePiece[] } {
  const items: Item[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]
    if (!word) break
    if (isWord(word, 'by')) return { items, byWord: word, by: words.slice(at + 1) }
    const next = words[at + 1]
    const asWord = isWord(next, 'as') ? next : undefined
    items.push({ word, asWord, name: asWord ? words[at + 2] : undefined })
    if (asWord) at += 2
  }
  return { items, by: [] }
}

const isWord = (piece: ValuePiece | undefined, word: string): boolean => piece?.quoting === 'bare' && piece.text.toLowerCase() === word

const missing = (piece: ValuePiece | undefined, message: string, expected: string): Fault => fault(piece?.start ?? 0, piece?.end ?? 1, message, { expected })

function readAggregate(word: ValuePiece, name: string | undefined, faults: Fault[]): AggregateColumn | undefined {
  if (word.text.toLowerCase() === 'count') return { name: name ?? 'count', make: countAll }
  const [, called = word.text, column = ''] = /^([^(]*)\((.+)\)$/s.exec(word.text) ?? []
  const aggregation = column === '' ? undefined : findAggregate(called.toLowerCase())
  if (aggregation) return { name: name ?? `${called.toLowerCase()}(${column})`, column, ...aggregation }
  const hint = nearest(called, ['count', ...aggregateNames])
  faults.push(fault(word.start, word.end, `there is no aggregate ${word.text.slice(0, 100)}`, { expected: known, ...(hint ? { hint: hint === 'count' ? hint : `${hint}(${column || 'column'})` } : {}) }))
  return undefined
}
