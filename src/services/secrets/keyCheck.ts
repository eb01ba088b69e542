import { timingSafeEqual } from 'node:crypto'
import type { Caller } from '../handler.ts'
import type { House } from '../house.ts'
import { perHouse } from '../perHouse.ts'
import { storeBootstrapKey } from './firstKey.ts'
import { keyPrint } from './mintKey.ts'

/** How long a key that was found is believed; a deleted key therefore works for at most this long. */
const trustMs = 1_000
const maxRemembered = 10_000

/** What was found for a key, and how long that is believed. */
interface Remembered {
  readonly until: number
  readonly found: Promise<Caller | null>
  renewing: boolean
}

/** Tells whose key a text is, with about two indexed reads a second for each key in use. */
export class KeyCheck {
  readonly #house: House
  readonly #remembered = new Map<string, Remembered>()

  constructor(house: House) {
    this.#house = house
  }

  /** The caller behind a key, or null for a key that is unknown, wrong or expired. */
  async verify(key: string): Promise<Caller | null> {
    const found = await this.#find(key)
    return found && (found.expiresAt === null || found.expiresAt > this.#house.clock()) ? found : null
  }

  /** Forgets what was found, so that every key is looked up again. */
  forget(): void {
    this.#remembered.clear()
  }

  #find(key: string): Promise<Caller | null> {
    const now = this.#house.clock()
    const known = this.#remembered.get(key)
    if (!known || known.until <= now) return this.#remember(key, now)
    if (!known.renewing && known.until - now < trustMs / 2) this.#renew(key, known, now)
    return known.found
  }

  #remember(key: string, now: number): Promise<Caller | null> {
    if (this.#remembered.size >= maxRemembered) this.#remembered.clear()
    const found = this.#read(key)
    const made: Remembered = { until: now + trustMs, found, renewing: false }
    this.#remembered.set(key, made)
    found.catch(() => this.#remembered.get(key) === made && this.#remembered.delete(key))
    return found
  }

  /** Looks a key in use up again ahead of time: a flood of its requests would else wait for that together, and keep others out. */
  #renew(key: string, known: Remembered, now: number): void {
    known.renewing = true
    const renewed = this.#read(key)
    renewed.then(
      () => this.#remembered.get(key) === known && this.#remembered.set(key, { until: now + trustMs, found: renewed, renewing: false }),
      () => (known.renewing = false),
    )
  }

  async #read(key: string): Promise<Caller | null> {
    await storeBootstrapKey(this.#house) // the first request may come before the start has done it
    const { lookup, hash } = await keyPrint(this.#house, key)
    const row = await this.#house.db.apiKey.findUnique({ where: { lookup } })
    if (!row || !timingSafeEqual(row.hash, hash)) return null
    return { keyId: row.id, name: row.name, scopes: row.scopes, expiresAt: row.expiresAt?.getTime() ?? null }
  }
}

/** The one check of a process, so that a key that is withdrawn in it is believed nowhere in it. */
export const keyCheckOf = perHouse((house) => new KeyCheck(house))
