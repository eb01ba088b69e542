/** A place in a text as people count it: lines and columns from 1, length in characters. */
export interface Place {
  readonly line: number
  readonly column: number
  readonly length: number
}

/** Turns offsets into places; lines and wide characters are found once, so that many faults on one long line stay cheap. */
export class Places {
  readonly #lineStarts: readonly number[]
  readonly #wide: readonly number[]

  constructor(text: string) {
    this.#lineStarts = lineStartsOf(text)
    this.#wide = wideOf(text)
  }

  of(start: number, end: number): Place {
    const line = countUpTo(this.#lineStarts, start)
    return { line, column: this.#characters(this.#lineStarts[line - 1] ?? 0, start) + 1, length: this.#characters(start, end) }
  }

  /** Code points between two offsets: an emoji is one character. */
  #characters(from: number, to: number): number {
    return to - from - Math.max(0, countUpTo(this.#wide, to - 1) - countUpTo(this.#wide, from))
  }
}

function lineStartsOf(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Where the second halves of characters stand that take two units. */
function wideOf(text: string): number[] {
  const halves: number[] = []
  for (let at = 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= 0xdc00 && code <= 0xdfff && isFirstHalf(text.charCodeAt(at - 1))) halves.push(at)
  }
  return halves
}

const isFirstHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** How many of the ascending numbers are at most the limit, by halving. */
export function countUpTo(numbers: readonly number[], limit: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1
    else high = middle
  }
  return low
}
