import { asNumber } from '../expressions/values.ts'
import type { Cell } from '../rows.ts'
import { ValueKinds } from './valueKinds.ts'

interface Candidate<Payload> {
  readonly cell: string | number | boolean
  readonly payload: Payload
}

/** The least or the greatest of values and what came with it; the first of equals. Numbers go before texts, texts before booleans. */
export class Extreme<Payload> {
  readonly #kinds: ValueKinds
  readonly #best = new Map<'number' | 'text' | 'boolean', Candidate<Payload>>()
  readonly #side: 'min' | 'max'

  /** Groups of one column share the kinds of its values, so that all of them are compared in the same way. */
  constructor(side: 'min' | 'max', kinds = new ValueKinds()) {
    this.#side = side
    this.#kinds = kinds
  }

  add(cell: Cell, payload: Payload): void {
    if (cell === null) return
    this.#kinds.add(cell)
    // Whether a text counts as a number is known only at the end, so it takes part as both.
    const number = asNumber(cell)
    if (number !== null) this.#offer('number', number, payload)
    if (typeof cell === 'string') this.#offer('text', cell, payload)
    if (typeof cell === 'boolean') this.#offer('boolean', cell, payload)
  }

  found(): Candidate<Payload> | undefined {
    return (this.#kinds.areNumbers ? this.#best.get('number') : undefined) ?? this.#best.get('text') ?? this.#best.get('boolean')
  }

  #offer(kind: 'number' | 'text' | 'boolean', cell: Candidate<Payload>['cell'], payload: Payload): void {
    const best = this.#best.get(kind)
    if (!best || (this.#side === 'min' ? cell < best.cell : cell > best.cell)) this.#best.set(kind, { cell, payload })
  }
}
