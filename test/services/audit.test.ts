import type pg from 'pg'
import { describe, expect, test } from 'vitest'
import { verifyChain } from '../../src/services/audit.ts'
import { openTestPool } from '../support/testPool.ts'

interface Entry {
  readonly actor: string
  readonly operation: string
  readonly target: string | null
  readonly outcome: string
  readonly requestId: string
}

const plain: Entry = { actor: 'key', operation: 'a.b.create', target: 'x', outcome: 'done', requestId: 'r' }

/** Writes an entry as a service does; the hashes that it gives are not those that are kept. */
const write = (connection: pg.Pool | pg.PoolClient, { actor, operation, target, outcome, requestId }: Entry) =>
  connection.query(
    `INSERT INTO audit_log (actor, operation, target, outcome, request_id, prev_hash, hash) VALUES ($1, $2, $3, $4, $5, '', '')`,
    [actor, operation, target, outcome, requestId],
  )

const numbersOf = async (pool: pg.Pool): Promise<number[]> =>
  (await pool.query<{ seq: string }>('SELECT seq FROM audit_log ORDER BY seq')).rows.map((row) => Number(row.seq))

/** Changes the log as its owner could: with its triggers off. */
async function tamper(pool: pg.Pool, ...statements: string[]): Promise<void> {
  const triggers = (state: string): string => `ALTER TABLE audit_log ${state} TRIGGER USER`
  await pool.query(['BEGIN', triggers('DISABLE'), ...statements, triggers('ENABLE'), 'COMMIT'].join(';'))
}

async function openLogWith(count: number) {
  const { pool, url } = await openTestPool()
  for (let number = 0; number < count; number += 1) await write(pool, { ...plain, requestId: `r${number}` })
  return { pool, url, numbers: await numbersOf(pool) }
}

describe('the audit log', () => {
  test('is intact when it is empty', async () => {
    const { pool } = await openTestPool()
    expect(await verifyChain(pool)).toEqual({ entries: 0, ok: true })
  })

  test('is one intact chain, whatever the entries hold', async () => {
    const { pool } = await openTestPool()
    const texts = ['', '"', '\\', '\\"', '\n\r\t\b\f\u0001\u001f\u007f', 'ünïcödé 👍\u2028', '[1, "2"]', "it's", '</script>']
    for (const target of [null, ...texts]) await write(pool, { ...plain, actor: `${target}`, target, requestId: `${target}` })
    expect(await verifyChain(pool)).toMatchObject({ entries: texts.length + 1, ok: true })
  })

  test('is one intact chain of parallel writers, some of whom give up', async () => {
    const { pool } = await openTestPool()
    await Promise.all(
      Array.from({ length: 80 }, async (_, number) => {
        const client = await pool.connect()
        try {
          await client.query('BEGIN')
          await write(client, { ...plain, requestId: `r${number}` })
          await client.query(number % 4 === 0 ? 'ROLLBACK' : 'COMMIT')
        } finally {
          client.release()
        }
      }),
    )
    const report = await verifyChain(pool)
    expect(report).toMatchObject({ entries: 60, ok: true })
    expect(report.head?.seq).toBe((await numbersOf(pool)).at(-1))
  })

  test('is walked to its end when it is longer than a batch', async () => {
    const { pool } = await openTestPool()
    await pool.query(
      `INSERT INTO audit_log (actor, operation, outcome, request_id, prev_hash, hash)
       SELECT 'a', 'o', 'done', n::text, '', '' FROM generate_series(1, 2500) AS n`,
    )
    expect(await verifyChain(pool)).toMatchObject({ entries: 2500, ok: true })
    const last = (await numbersOf(pool)).at(-1) ?? 0
    await tamper(pool, `UPDATE audit_log SET actor = 'b' WHERE seq = ${last}`)
    expect(await verifyChain(pool)).toMatchObject({ entries: 2499, ok: false, brokenAt: last })
  })

  test.for(["UPDATE audit_log SET actor = 'me'", 'DELETE FROM audit_log', 'TRUNCATE audit_log'])('refuses %s', async (statement) => {
    const { pool } = await openLogWith(2)
    await expect(pool.query(statement)).rejects.toThrow('the audit log is append-only')
    expect(await verifyChain(pool)).toMatchObject({ entries: 2, ok: true })
  })

  test('takes no number and no hash from the one who writes', async () => {
    const { pool, numbers } = await openLogWith(1)
    await pool.query(
      `INSERT INTO audit_log (seq, actor, operation, outcome, request_id, prev_hash, hash)
       VALUES (-5, 'a', 'o', 'done', 'r', '\\x00', '\\x00')`,
    )
    expect((await numbersOf(pool))[1]).toBeGreaterThan(numbers[0] ?? 0)
    expect(await verifyChain(pool)).toMatchObject({ entries: 2, ok: true })
  })

  test.for([
    "actor = 'other'", "operation = 'other'", 'target = NULL', "target = 'other'", "outcome = 'other'", "request_id = 'other'",
    "at = at + interval '1 millisecond'", "at = 'infinity'", "hash = sha256('other')", "prev_hash = sha256('other')",
  ])('shows an entry that was changed: %s', async (change) => {
    const { pool, numbers } = await openLogWith(4)
    await tamper(pool, `UPDATE audit_log SET ${change} WHERE seq = ${numbers[2]}`)
    expect(await verifyChain(pool)).toMatchObject({ entries: 2, ok: false, brokenAt: numbers[2], head: { seq: numbers[1] } })
  })

  test('shows an entry that was changed together with its hash', async () => {
    const { pool, numbers } = await openLogWith(4)
    await tamper(
      pool,
      `UPDATE audit_log SET actor = 'other' WHERE seq = ${numbers[1]}`,
      `UPDATE audit_log SET hash = sha256(convert_to(audit_entry_text(audit_log), 'UTF8')) WHERE seq = ${numbers[1]}`,
    )
    expect(await verifyChain(pool)).toMatchObject({ entries: 2, ok: false, brokenAt: numbers[2] })
  })

  test('shows an entry that was taken out, at the beginning or in the middle', async () => {
    const { pool, numbers } = await openLogWith(5)
    await tamper(pool, `DELETE FROM audit_log WHERE seq = ${numbers[2]}`)
    expect(await verifyChain(pool)).toMatchObject({ entries: 2, ok: false, brokenAt: numbers[3] })
    await tamper(pool, `DELETE FROM audit_log WHERE seq = ${numbers[0]}`)
    expect(await verifyChain(pool)).toEqual({ entries: 0, ok: false, brokenAt: numbers[1] })
  })

  test('shows entries that changed places, and one that was slipped in before the first', async () => {
    const { pool, numbers } = await openLogWith(4)
    const [, second, third] = numbers
    await tamper(
      pool,
      `UPDATE audit_log SET seq = 1000000 WHERE seq = ${second}`,
      `UPDATE audit_log SET seq = ${second} WHERE seq = ${third}`,
      `UPDATE audit_log SET seq = ${third} WHERE seq = 1000000`,
    )
    expect(await verifyChain(pool)).toMatchObject({ entries: 1, ok: false, brokenAt: second })
    const copied = 'at, actor, operation, target, outcome, request_id, prev_hash, hash'
    await tamper(pool, `INSERT INTO audit_log (seq, ${copied}) SELECT -7, ${copied} FROM audit_log WHERE seq = ${numbers[0]}`)
    expect(await verifyChain(pool)).toEqual({ entries: 0, ok: false, brokenAt: -7 })
  })

  test('gives a head that a cut-off end no longer reaches', async () => {
    const { pool, numbers } = await openLogWith(3)
    const noted = (await verifyChain(pool)).head
    await tamper(pool, `DELETE FROM audit_log WHERE seq = ${numbers[2]}`)
    const report = await verifyChain(pool)
    expect(report).toMatchObject({ entries: 2, ok: true })
    expect(report.head).not.toEqual(noted)
  })
})
