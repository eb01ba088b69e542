/** Where somebody stands among those who wait. */
export interface Place {
  /** With whom he shares what is free: every party gets as much as any other. */
  readonly party: string
  /** Who comes first within his party: the lowest. */
  readonly rank: number
}

interface Line {
  readonly rank: number
  readonly waiting: (() => void)[]
}

/**
 * Lets so many pass at once; the others wait. Parties are served in turn. Within a party the lines of the lowest rank come first, so
 * that its units end one after another, and what one of them has to write is written while the next ones go on.
 */
export class Gate {
  readonly #width: number
  /** The lines of each party by their rank; the party whose turn it is stands first. */
  readonly #parties = new Map<string, Line[]>()
  #free: number
  #waiting = 0

  constructor(width: number) {
    this.#width = width
    this.#free = width
  }

  /** Whether as many wait as pass. */
  get isCrowded(): boolean {
    return this.#waiting >= this.#width
  }

  async pass<Result>(place: Place, work: () => Promise<Result>): Promise<Result> {
    if (!this.#takeFree()) await this.#waitFor(place)
    try {
      return await work()
    } finally {
      this.#leave()
    }
  }

  /** Leaves the place of one who passes to others while he waits for something else. */
  async stepOut(place: Place, wait: () => Promise<void>): Promise<void> {
    this.#leave()
    try {
      await wait()
    } finally {
      if (!this.#takeFree()) await this.#waitFor(place)
    }
  }

  #takeFree(): boolean {
    if (this.#free === 0) return false
    this.#free -= 1
    return true
  }

  #waitFor({ party, rank }: Place): Promise<void> {
    this.#waiting += 1
    return new Promise((enter) => void this.#lineOf(party, rank).waiting.push(enter))
  }

  #lineOf(party: string, rank: number): Line {
    const lines = this.#parties.get(party) ?? []
    if (lines.length === 0) this.#parties.set(party, lines)
    const known = lines.find((line) => line.rank === rank)
    if (known) return known
    const line = { rank, waiting: [] }
    const behind = lines.findIndex((other) => other.rank > rank)
    lines.splice(behind < 0 ? lines.length : behind, 0, line)
    return line
  }

  #leave(): void {
    const next = this.#next()
    if (next) next()
    else this.#free += 1
  }

  #next(): (() => void) | undefined {
    for (const [party, lines] of this.#parties) {
      const [line] = lines
      const enter = line?.waiting.shift()
      if (line?.waiting.length === 0) lines.shift()
      this.#parties.delete(party)
      if (lines.length > 0) this.#parties.set(party, lines) // behind the others
      this.#waiting -= 1
      return enter
    }
    return undefined
  }
}
