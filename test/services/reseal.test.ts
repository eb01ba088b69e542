import type pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { pickLoopbackPort } from '../../ops/up/freePort.ts'
import { createClient } from '../../src/client/index.ts'
import { newId, randomText } from '../../src/platform/ids.ts'
import { SecretBox, UnsealError } from '../../src/platform/secretBox.ts'
import { resealAll, sealedTables } from '../../src/services/reseal.ts'
import { Vault } from '../../src/services/vault.ts'
import { startApi, type RunningApi } from '../support/api.ts'
import { processSettings, startBuilt } from '../support/builtProcess.ts'
import { openTestPool } from '../support/testPool.ts'

const [keyA, keyB, lostKey] = [randomText(32), randomText(32), randomText(32)] as const

async function openApi(databaseUrl: string, settings: Record<string, string>): Promise<RunningApi> {
  const api = await startApi({ DATABASE_URL: databaseUrl, ...settings })
  onTestFinished(() => api.close())
  return api
}

const placeOf = (id: string) => ({ table: 'secrets', id, field: 'sealed' })

/** Puts secrets into the table as a process with this master key would. */
async function keepSecrets(pool: pg.Pool, key: string, count: number): Promise<string[]> {
  const box = new SecretBox(key)
  const ids = Array.from({ length: count }, newId)
  const sealed = ids.map((id) => box.seal(placeOf(id), `value of ${id}`))
  await pool.query(
    `INSERT INTO secrets (id, type, name, sealed)
     SELECT id, 'custom', id::text, sealed FROM unnest($1::uuid[], $2::text[]) AS kept(id, sealed)`,
    [ids, sealed],
  )
  return ids
}

const readSealed = async (pool: pg.Pool): Promise<Map<string, string>> => {
  const { rows } = await pool.query<{ id: string; sealed: string }>('SELECT id, sealed FROM secrets')
  return new Map(rows.map(({ id, sealed }) => [id, sealed]))
}

/** The ids of the master keys that anything in any table is sealed with. */
async function readKeyIds(pool: pg.Pool): Promise<string[]> {
  const tables = sealedTables.map(({ table }) => `SELECT split_part(sealed, '.', 2) AS id FROM ${table} WHERE sealed IS NOT NULL`)
  const { rows } = await pool.query<{ id: string }>(`SELECT DISTINCT id FROM (${tables.join(' UNION ALL ')}) AS keys ORDER BY id`)
  return rows.map(({ id }) => id)
}

const idOf = (key: string): string => new SecretBox(key).keyId

describe('sealedTables', () => {
  test('names every table with a sealed column, by its primary key', async () => {
    const { pool } = await openTestPool()
    const { rows } = await pool.query<{ table: string; key: string[] }>(
      `SELECT conrelid::regclass::text AS table,
         ARRAY(SELECT attname::text FROM unnest(conkey) AS number JOIN pg_attribute ON attrelid = conrelid AND attnum = number) AS key
       FROM pg_constraint JOIN information_schema.columns ON table_name = conrelid::regclass::text
       WHERE contype = 'p' AND column_name = 'sealed'`,
    )
    const byTable = (a: { table: string }, b: { table: string }): number => a.table.localeCompare(b.table)
    expect(sealedTables.toSorted(byTable)).toEqual(rows.toSorted(byTable))
  })
})

describe('a new master key', () => {
  const credential = { type: 'custom', config: { credential: { name: 'c' }, credentials: { custom: { value: 'canary' } } } } as const
  const prompt = { body: { name: 'p', prompt: 'once' }, headers: { 'Idempotency-Key': 'the first' } }

  test('leaves all readable beside the earlier one, and suffices alone after everything was resealed', async () => {
    const { url, pool } = await openTestPool()
    const first = await openApi(url, { MASTER_KEY: keyA })
    const callFirst = createClient({ baseUrl: first.url, apiKey: first.adminKey })
    await callFirst('secrets.credential.create', { body: credential })
    await callFirst('secrets.secret.create', { body: { name: 's', secret: 'canary' } })
    const made = await callFirst('secrets.prompt.create', prompt)
    expect(await readKeyIds(pool)).toEqual([idOf(keyA)])
    const kept = { BOOTSTRAP_API_KEY: first.adminKey }
    await first.close()

    const both = await openApi(url, { ...kept, MASTER_KEY: keyB, MASTER_KEY_PREVIOUS: keyA })
    const callBoth = createClient({ baseUrl: both.url, apiKey: both.adminKey })
    expect(await callBoth('secrets.prompt.create', prompt)).toEqual(made)
    // The mask stands for the stored value, which must therefore be opened.
    const masked = { ...credential, config: { ...credential.config, credentials: { custom: { value: '********' } } } }
    await callBoth('secrets.credential.update', { params: { name: 'c' }, body: masked })
    expect(await resealAll(both.house)).toBe(3)
    expect(await resealAll(both.house)).toBe(0)
    expect(await readKeyIds(pool)).toEqual([idOf(keyB)])
    await both.close()

    const second = await openApi(url, { ...kept, MASTER_KEY: keyB })
    const callSecond = createClient({ baseUrl: second.url, apiKey: second.adminKey })
    expect(await callSecond('secrets.prompt.create', prompt)).toEqual(made)
    const { id, sealed } = await second.house.db.credential.findFirstOrThrow()
    expect(second.house.box.open({ table: 'credentials', id, field: 'sealed' }, sealed)).toContain('canary')
    await expect(new Vault(second.house.db, new SecretBox(keyA)).pepper()).rejects.toThrow(UnsealError)
  })

  test('wraps more than a batch, and changes neither values nor versions', async () => {
    const { url, pool } = await openTestPool()
    const ids = await keepSecrets(pool, keyA, 1_201)
    const { house } = await openApi(url, { MASTER_KEY: keyB, MASTER_KEY_PREVIOUS: keyA })
    expect(await resealAll(house)).toBe(1_201)
    const alone = new SecretBox(keyB)
    const sealed = await readSealed(pool)
    for (const id of ids) expect(alone.open(placeOf(id), sealed.get(id) ?? '')).toBe(`value of ${id}`)
    expect((await pool.query('SELECT DISTINCT version FROM secrets')).rows).toEqual([{ version: 1 }])
  })

  test('leaves what no key opens as it is, says so, and goes on with the rest', async () => {
    const { url, pool } = await openTestPool()
    const lost = await keepSecrets(pool, lostKey, 700)
    await keepSecrets(pool, keyA, 700)
    const before = await readSealed(pool)
    const { house, logLines } = await openApi(url, { MASTER_KEY: keyB, MASTER_KEY_PREVIOUS: keyA })
    expect(await resealAll(house)).toBe(700)
    const after = await readSealed(pool)
    for (const id of lost) expect(after.get(id)).toBe(before.get(id))
    const told = logLines.map((line) => JSON.parse(line) as object)
    expect(told).toContainEqual(expect.objectContaining({ level: 'warn', table: 'secrets', count: 700 }))
  })
})

describe('writes while everything is resealed', () => {
  test('are kept when they come between the read and the write of a row', async () => {
    const { url, pool } = await openTestPool()
    const [id = ''] = await keepSecrets(pool, keyA, 1)
    await keepSecrets(pool, keyA, 10)
    const { house } = await openApi(url, { MASTER_KEY: keyB, MASTER_KEY_PREVIOUS: keyA })
    const writer = await pool.connect()
    await writer.query('BEGIN')
    // A process that has not heard of the new key yet.
    await writer.query('UPDATE secrets SET sealed = $2 WHERE id = $1', [id, new SecretBox(keyA).seal(placeOf(id), 'newer')])
    const resealed = resealAll(house)
    const waiting = `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'UPDATE secrets%'`
    await expect.poll(async () => (await pool.query(waiting)).rowCount, { timeout: 10_000 }).toBe(1)
    await writer.query('COMMIT')
    writer.release()
    expect(await resealed).toBe(10)
    expect(house.box.open(placeOf(id), (await readSealed(pool)).get(id) ?? '')).toBe('newer')
    expect(await resealAll(house)).toBe(1)
  })

  test('are kept when there are many of them', async () => {
    const { url, pool } = await openTestPool()
    const ids = await keepSecrets(pool, keyA, 600)
    const { house } = await openApi(url, { MASTER_KEY: keyB, MASTER_KEY_PREVIOUS: keyA })
    const resealing = { goesOn: true }
    const newest = new Map<string, string>()
    const write = async (key: string, lane: number): Promise<void> => {
      const box = new SecretBox(key)
      for (let turn = 0; resealing.goesOn; turn += 1) {
        // Each of the four writes every fourth row, so that the newest value of a row is known.
        const id = ids[(turn * 4 + lane) % ids.length] ?? ''
        newest.set(id, `turn ${turn}`)
        await pool.query('UPDATE secrets SET sealed = $2 WHERE id = $1', [id, box.seal(placeOf(id), `turn ${turn}`)])
      }
    }
    const writers = [keyA, keyB, keyA, keyB].map(write)
    for (let round = 0; round < 10; round += 1) await resealAll(house)
    resealing.goesOn = false
    await Promise.all(writers)
    await resealAll(house)
    const sealed = await readSealed(pool)
    expect(newest.size).toBeGreaterThan(20)
    for (const id of ids) expect(new SecretBox(keyB).open(placeOf(id), sealed.get(id) ?? '')).toBe(newest.get(id) ?? `value of ${id}`)
  })
})

describe('the API process', () => {
  test('refuses to start under a wrong master key, with 78 and one clear message, and starts with the right one beside it', async () => {
    const { url } = await openTestPool()
    const settings = { ...processSettings(url), MASTER_KEY: keyA, PORT: String(await pickLoopbackPort(null)) }
    const right = startBuilt('src/api/main.js', settings)
    await right.says('"msg":"listening"')
    await expect.poll(async () => (await fetch(`http://127.0.0.1:${settings.PORT}/readyz`)).status, { timeout: 10_000 }).toBe(200)
    right.signal('SIGTERM')
    expect(await right.exited).toBe(0)

    const wrong = startBuilt('src/api/main.js', { ...settings, MASTER_KEY: keyB })
    expect(await wrong.exited).toBe(78)
    expect(wrong.errorLines).toEqual([
      'MASTER_KEY does not open what this database holds. Set the key that it was made with, or list that one in MASTER_KEY_PREVIOUS.',
    ])
    expect([...wrong.lines, ...wrong.errorLines].join()).not.toContain(keyB)

    const rotated = startBuilt('src/api/main.js', { ...settings, MASTER_KEY: keyB, MASTER_KEY_PREVIOUS: `${lostKey},${keyA}` })
    await rotated.says('"msg":"listening"')
    await expect.poll(async () => (await fetch(`http://127.0.0.1:${settings.PORT}/readyz`)).status, { timeout: 10_000 }).toBe(200)
    rotated.signal('SIGTERM')
    expect(await rotated.exited).toBe(0)
  }, 60_000)
})
