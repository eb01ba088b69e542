/** A bounded map that forgets what was used longest ago. */
export class Recent<Value> {
  readonly #most: number
  readonly #dropped: (value: Value) => void
  readonly #values = new Map<string, Value>()

  constructor(most: number, dropped: (value: Value) => void) {
    this.#most = most
    this.#dropped = dropped
  }

  /** The value of this key, made where there is none. */
  get(key: string, make: () => Value): Value {
    const value = this.#values.get(key) ?? make()
    this.#values.delete(key)
    this.#values.set(key, value)
    if (this.#values.size > this.#most) this.#dropOldest()
    return value
  }

  /** Takes a value out without saying that it was dropped. */
  delete(key: string): void {
    this.#values.delete(key)
  }

  /** Empties the map and answers what was in it. */
  clear(): Value[] {
    const values = [...this.#values.values()]
    this.#values.clear()
    return values
  }

  #dropOldest(): void {
    for (const [key, value] of this.#values) {
      this.#values.delete(key)
      return this.#dropped(value)
    }
  }
}
