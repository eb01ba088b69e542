import type { Cell } from '../../../query/rows.ts'

/** Registers of an estimate, as a power of two: an error of about 1.6 %. */
const bits = 12
const registers = 2 ** bits

/** Estimates how many different values it has met, in little memory however many there are. */
export class DistinctEstimate {
  readonly #ranks = new Uint8Array(registers)

  add(cell: Exclude<Cell, null>): void {
    const [index, rest] = hash(cell)
    // The rank is the place of the first 1 in the part of the hash that does not choose the register.
    const rank = Math.clz32(rest) + 1
    const at = index >>> (32 - bits)
    if (rank > (this.#ranks[at] ?? 0)) this.#ranks[at] = rank
  }

  get size(): number {
    let sum = 0
    let empty = 0
    for (const rank of this.#ranks) {
      sum += 2 ** -rank
      if (rank === 0) empty += 1
    }
    const raw = (0.7213 / (1 + 1.079 / registers)) * (registers * registers) / sum
    return Math.round(raw <= 2.5 * registers && empty > 0 ? registers * Math.log(registers / empty) : raw)
  }
}

/** Two independent numbers of 32 bits. */
function hash(cell: Exclude<Cell, null>): [number, number] {
  const text = typeof cell === 'string' ? cell : `${typeof cell}\u0000${cell}`
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return [a >>> 0, b >>> 0]
}
