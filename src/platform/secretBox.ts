import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** Where a sealed value belongs; it cannot be opened anywhere else. */
export interface Place {
  readonly table: string
  readonly id: string
  readonly field: string
}

/** A value that no known key opens: another master key, another place, or damage. */
export class UnsealError extends Error {
  override readonly name = 'UnsealError'
}

interface MasterKey {
  readonly id: string
  readonly bytes: Buffer
}

const format = 'v1'

/**
 * Encrypts what must not be readable at rest: AES-256-GCM with a data key of its own for each value, wrapped by the master key.
 * A sealed value is `v1.<master key id>.<wrapped data key>.<ciphertext>`, both parts authenticated with the place they belong to.
 */
export class SecretBox {
  readonly #current: MasterKey
  readonly #known: ReadonlyMap<string, MasterKey>

  constructor(masterKey: string, previous: readonly string[] = []) {
    this.#current = deriveMasterKey(masterKey)
    this.#known = new Map([this.#current, ...previous.map(deriveMasterKey)].map((key) => [key.id, key]))
  }

  /** Id of the key that new values are sealed with. */
  get keyId(): string {
    return this.#current.id
  }

  /** The text, readable in this place only. */
  seal(place: Place, text: string): string {
    const dataKey = randomBytes(32)
    const wrapped = encrypt(this.#current.bytes, dataKey, aad(place, 'key'))
    const sealed = encrypt(dataKey, Buffer.from(text, 'utf8'), aad(place, 'value'))
    return [format, this.#current.id, wrapped.toString('base64url'), sealed.toString('base64url')].join('.')
  }

  /** The text that was sealed in this place; throws an UnsealError where it cannot be had. */
  open(place: Place, sealed: string): string {
    const { dataKey, value } = this.#unwrap(place, sealed)
    return decrypt(dataKey, Buffer.from(value, 'base64url'), aad(place, 'value')).toString('utf8')
  }

  /** The same value under the current master key, or null where it already is; the value itself is not opened. */
  rewrap(place: Place, sealed: string): string | null {
    if (sealed.startsWith(`${format}.${this.#current.id}.`)) return null
    const { dataKey, value } = this.#unwrap(place, sealed)
    const wrapped = encrypt(this.#current.bytes, dataKey, aad(place, 'key'))
    return [format, this.#current.id, wrapped.toString('base64url'), value].join('.')
  }

  #unwrap(place: Place, sealed: string): { dataKey: Buffer; value: string } {
    const [version, keyId = '', wrapped, value, ...more] = sealed.split('.')
    if (version !== format || wrapped === undefined || value === undefined || more.length > 0) throw new UnsealError('not a sealed value')
    const key = this.#known.get(keyId)
    if (!key) throw new UnsealError(`sealed with the master key ${keyId}, which is not configured`)
    return { dataKey: decrypt(key.bytes, Buffer.from(wrapped, 'base64url'), aad(place, 'key')), value }
  }
}

function deriveMasterKey(text: string): MasterKey {
  const bytes = Buffer.from(hkdfSync('sha256', text, 'quern', 'master key', 32))
  return { bytes, id: createHash('sha256').update(bytes).digest('hex').slice(0, 12) }
}

const aad = (place: Place, part: string): Buffer => Buffer.from(JSON.stringify([part, place.table, place.id, place.field]))

function encrypt(key: Buffer, plain: Buffer, authenticated: Buffer): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(authenticated)
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: Buffer, sealed: Buffer, authenticated: Buffer): Buffer {
  try {
    // A shorter tag would be easier to guess, and the cipher would take it.
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), { authTagLength: 16 }).setAAD(authenticated)
    decipher.setAuthTag(sealed.subarray(-16))
    return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()])
  } catch (cause) {
    throw new UnsealError('does not open with this master key in this place', { cause })
  }
}
