import { createHmac } from 'node:crypto'
import { newId, randomText } from '../../platform/ids.ts'
import type { House } from '../house.ts'

/** What is stored of a key, and what a key that somebody shows is compared with. */
export interface KeyPrint {
  readonly lookup: string
  readonly hash: Uint8Array<ArrayBuffer>
}

/** A key as it is made: the text is shown once, the rest is stored. */
export interface MintedKey extends KeyPrint {
  readonly id: string
  readonly key: string
}

/** Makes a key `svc_<id>_<secret>`. */
export async function mintKey(house: House, id: string = newId()): Promise<MintedKey> {
  const key = `svc_${id.replaceAll('-', '')}_${randomText(32)}`
  return { id, key, ...(await keyPrint(house, key)) }
}

/** The row is found by the id inside the key or, for a key of another form, by a keyed digest of it. */
export async function keyPrint(house: House, key: string): Promise<KeyPrint> {
  const pepper = await house.vault.pepper()
  const digest = (purpose: string): Buffer => createHmac('sha256', pepper).update(purpose).update(key).digest()
  const id = /^svc_([0-9a-f]{32})_/.exec(key)?.[1]
  return { lookup: id ?? digest('lookup').toString('hex').slice(0, 40), hash: new Uint8Array(digest('verify')) }
}
