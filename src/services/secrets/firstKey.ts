import { newId } from '../../platform/ids.ts'
import { inTransaction } from '../../platform/prisma/inTransaction.ts'
import type { House } from '../house.ts'
import { perHouse } from '../perHouse.ts'
import { keyPrint, mintKey, type MintedKey } from './mintKey.ts'

/**
 * Makes sure that somebody can get in: stores BOOTSTRAP_API_KEY as an admin key, or makes one where no key exists at all.
 * Answers the key only when this very call made it.
 */
export async function ensureFirstKey(house: House): Promise<{ key: string | null }> {
  if (house.env.bootstrapApiKey !== undefined) {
    await storeBootstrapKey(house)
    return { key: null }
  }
  const minted = await mintKey(house)
  const inserted = await insertIf(house, minted, 'first key', 'NOT EXISTS (SELECT 1 FROM api_keys)')
  return { key: inserted ? minted.key : null }
}

/** Stores BOOTSTRAP_API_KEY, where it is set, once in the life of a process: a key that is withdrawn later stays so. Who comes first does it, and a failure leaves it to the next. */
export const storeBootstrapKey = (house: House): Promise<void> => bootstrapOf(house).store()

const bootstrapOf = perHouse((house) => {
  let stored: Promise<void> | undefined
  const store = async (): Promise<void> => {
    const key = house.env.bootstrapApiKey
    if (key !== undefined) await insertIf(house, { id: newId(), key, ...(await keyPrint(house, key)) }, 'bootstrap', 'true')
  }
  return {
    store: () =>
      (stored ??= store().catch((error: unknown) => {
        stored = undefined
        throw error
      })),
  }
})

/** Several processes may start at once: the lock lets one of them see that there is no key yet. */
function insertIf(house: House, minted: MintedKey, name: string, condition: string): Promise<boolean> {
  return inTransaction(house.pool, async (client) => {
    await client.query("SELECT pg_advisory_xact_lock(hashtext('quern first key'))")
    const { rowCount } = await client.query(
      `INSERT INTO api_keys (id, lookup, hash, name, scopes) SELECT $1, $2, $3, $4, '{admin}' WHERE ${condition} ON CONFLICT DO NOTHING`,
      [minted.id, minted.lookup, Buffer.from(minted.hash), name],
    )
    return rowCount === 1
  })
}
