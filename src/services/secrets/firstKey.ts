import { newId } from '../../platform/ids.ts'
import type { House } from '../house.ts'
import { KeyCheck, type MintedKey } from './keyCheck.ts'
import { inTransaction } from '../../platform/prisma/inTransaction.ts'

/**
 * Makes sure that somebody can get in: stores BOOTSTRAP_API_KEY as an admin key, or makes one where no key exists at all.
 * Answers the key only when this very call made it.
 */
export async function ensureFirstKey(house: House): Promise<{ key: string | null }> {
  const keys = new KeyCheck(house)
  if (house.env.bootstrapApiKey !== undefined) {
    await insertIf(house, await keys.describe(house.env.bootstrapApiKey, newId()), 'bootstrap', 'true')
    return { key: null }
  }
  const minted = await keys.mint()
  const inserted = await insertIf(house, minted, 'first key', 'NOT EXISTS (SELECT 1 FROM api_keys)')
  return { key: inserted ? minted.key : null }
}

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
