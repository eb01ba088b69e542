import type { Batch, Cell, Row } from '../../../src/query/rows.ts'

/** Shorter ones are no secrets, and would tear ordinary words apart. */
const leastLength = 6
const mask = '********'

/** The secrets that one job has used: what a target echoes is masked before it becomes a row, a record or an error. */
export class UsedSecrets {
  readonly #values = new Set<string>()

  get isEmpty(): boolean {
    return this.#values.size === 0
  }

  /** Takes the secrets of a credential, whatever shape it has. */
  add(value: unknown): void {
    if (typeof value === 'string' && value.length >= leastLength) this.#values.add(value)
    else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) this.add(inner)
  }

  hide(text: string): string {
    let hidden = text
    for (const value of this.#values) {
      if (hidden.includes(value)) hidden = hidden.replaceAll(value, mask)
      const encoded = encodeURIComponent(value)
      if (encoded !== value && hidden.includes(encoded)) hidden = hidden.replaceAll(encoded, mask)
    }
    return hidden
  }

  /** Rows without the secrets; nothing is looked at where none were used. */
  hideIn(rows: Batch): Batch {
    return this.isEmpty ? rows : rows.map((row) => this.#hideInRow(row))
  }

  #hideInRow(row: Row): Row {
    const changed = Object.entries(row).flatMap(([name, cell]): [string, Cell][] => {
      const hidden = typeof cell === 'string' ? this.hide(cell) : cell
      return hidden === cell ? [] : [[name, hidden]]
    })
    return changed.length === 0 ? row : { ...row, ...Object.fromEntries(changed) }
  }
}
