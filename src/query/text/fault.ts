/** Something wrong in a query's text: where, what, and how to mend it. Offsets count UTF-16 units; `Places` turns them into lines and columns. */
export interface Fault {
  readonly start: number
  readonly end: number
  readonly message: string
  /** What could stand there instead. */
  readonly expected?: string
  /** The nearest name that is known. */
  readonly hint?: string
}

/** Most faults that are reported of one text. */
export const maxFaults = 100

/** Makes a fault of its place and its words. */
export function fault(start: number, end: number, message: string, more: { expected?: string; hint?: string } = {}): Fault {
  return { start, end, message, ...more }
}

/** Adds a fault to those of one pass in the order of the text; only the first are made, so that a text full of faults stays cheap. */
export function tell(faults: Fault[], make: () => Fault): void {
  if (faults.length < maxFaults) faults.push(make())
}

/** A name as messages quote it: a word may be as long as the text. */
export function quoted(name: string): string {
  return name.length <= 100 ? name : `${name.slice(0, 100)}…`
}
