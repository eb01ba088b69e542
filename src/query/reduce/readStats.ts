import { fault, maxFaults, tell, type Fault } from '../text/fault.ts'
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
  const end = byAt(words)
  const by = words.slice(end + 1).map(({ text }) => text)
  const faults: Fault[] = []
  const columns: AggregateColumn[] = []
  const taken = new Set(by)
  if (words[end] && by.length === 0) faults.push(missing(words[end], 'by needs a column', 'a column'))
  if (end === 0) faults.push(missing(words[0], 'stats needs an aggregate', known))
  for (let at = 0; at < end && faults.length < maxFaults; at += lengthAt(words, at)) {
    const [asWord, name] = lengthAt(words, at) > 1 ? [words[at + 1], words[at + 2]] : []
    const column = readColumn({ word: words[at], asWord, name }, taken, faults)
    if (column) columns.push(column)
  }
  return { columns, by, faults }
}

/** Whether the words of `stats` ask for groups. */
export const asksForGroups = (words: readonly ValuePiece[]): boolean => byAt(words) + 1 < words.length

/** Where the word `by` stands; behind the last word where there is none. */
function byAt(words: readonly ValuePiece[]): number {
  let at = 0
  while (at < words.length && !isWord(words[at], 'by')) at += lengthAt(words, at)
  return Math.min(at, words.length)
}

/** How many words an aggregate has: itself, or also `as` and a name. */
const lengthAt = (words: readonly ValuePiece[], at: number): number => (isWord(words[at + 1], 'as') ? 3 : 1)

function isWord(piece: ValuePiece | undefined, word: string): boolean {
  return piece?.quoting === 'bare' && piece.text.length === word.length && piece.text.toLowerCase() === word
}

interface ColumnWords {
  readonly word: ValuePiece | undefined
  readonly asWord: ValuePiece | undefined
  readonly name: ValuePiece | undefined
}

function readColumn({ word, asWord, name }: ColumnWords, taken: Set<string>, faults: Fault[]): AggregateColumn | undefined {
  if (!word) return undefined
  if (asWord && !name) tell(faults, () => missing(asWord, 'as needs a name', 'a name for the column'))
  const column = readAggregate(word, name?.text, faults)
  if (!column) return undefined
  const { end } = name ?? word
  if (taken.has(column.name)) tell(faults, () => fault(word.start, end, `two columns would be named ${column.name}`, { expected: 'as and another name' }))
  taken.add(column.name)
  return column
}

const missing = (piece: ValuePiece | undefined, message: string, expected: string): Fault => fault(piece?.start ?? 0, piece?.end ?? 1, message, { expected })

function readAggregate(word: ValuePiece, name: string | undefined, faults: Fault[]): AggregateColumn | undefined {
  if (word.text.toLowerCase() === 'count') return { name: name ?? 'count', make: countAll }
  const [, called = word.text, column = ''] = /^([^(]*)\((.+)\)$/s.exec(word.text) ?? []
  const aggregation = column === '' ? undefined : findAggregate(called.toLowerCase())
  if (aggregation) return { name: name ?? `${called.toLowerCase()}(${column})`, column, ...aggregation }
  tell(faults, () => noSuchAggregate(word, called, column))
  return undefined
}

function noSuchAggregate({ text, start, end }: ValuePiece, called: string, column: string): Fault {
  const hint = nearest(called, ['count', ...aggregateNames])
  const meant = hint === null || hint === 'count' ? hint : `${hint}(${column || 'column'})`
  return fault(start, end, `there is no aggregate ${text.slice(0, 100)}`, { expected: known, ...(meant ? { hint: meant } : {}) })
}
