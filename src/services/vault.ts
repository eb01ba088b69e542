import { randomBytes } from 'node:crypto'
import type { Database } from '../platform/prisma/database.ts'
import type { SecretBox } from '../platform/secretBox.ts'

const place = { table: 'vault', id: 'pepper', field: 'sealed' } as const

/** The installation's own keys, kept sealed in the database so that all processes share them. */
export class Vault {
  readonly #db: Database
  readonly #box: SecretBox
  #pepper: Promise<Buffer> | undefined

  constructor(db: Database, box: SecretBox) {
    this.#db = db
    this.#box = box
  }

  /** The key that API keys are hashed with; made at the first start. Fails with an UnsealError under a wrong master key. */
  pepper(): Promise<Buffer> {
    this.#pepper ??= this.#openPepper().catch((error: unknown) => {
      this.#pepper = undefined
      throw error
    })
    return this.#pepper
  }

  async #openPepper(): Promise<Buffer> {
    const sealed = this.#box.seal(place, randomBytes(32).toString('base64url'))
    await this.#db.vaultEntry.createMany({ data: [{ name: place.id, sealed }], skipDuplicates: true })
    const entry = await this.#db.vaultEntry.findUniqueOrThrow({ where: { name: place.id } })
    return Buffer.from(this.#box.open(place, entry.sealed), 'base64url')
  }
}
