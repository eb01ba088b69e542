import { resolve } from 'node:path'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startPrivatePostgres } from '../../ops/up/privatePostgres.ts'
import { migrate } from '../../src/platform/migrations.ts'
import { startBuilt } from '../support/builtProcess.ts'
import { makeTestDir } from '../support/testDir.ts'
import { openTestPool } from '../support/testPool.ts'

const tool = 'ops/verifyAudit.js'
const insert = `INSERT INTO audit_log (actor, operation, outcome, request_id, prev_hash, hash) VALUES ('a', 'o', 'done', 'r', '', '')`

describe('npm run audit:verify', () => {
  test('says that a log is intact, with its newest hash, and ends with 0', async () => {
    const { url, pool } = await openTestPool()
    await pool.query(`${insert}; ${insert}`)
    const { rows } = await pool.query<{ hash: string }>(`SELECT encode(hash, 'hex') AS hash FROM audit_log ORDER BY seq DESC LIMIT 1`)
    const verify = startBuilt(tool, { DATABASE_URL: url })
    expect(await verify.exited).toBe(0)
    expect(verify.lines).toEqual([expect.stringMatching(new RegExp(`^The audit log is intact: 2 entries.* ${rows[0]?.hash}`))])
    expect(verify.errorLines).toEqual([])
  })

  test('says where a log is broken, and ends with 1', async () => {
    const { url, pool } = await openTestPool()
    await pool.query(`${insert}; ${insert}; ${insert}`)
    const { rows } = await pool.query<{ seq: string }>('SELECT seq FROM audit_log ORDER BY seq')
    await pool.query(`ALTER TABLE audit_log DISABLE TRIGGER USER; DELETE FROM audit_log WHERE seq = ${rows[1]?.seq}`)
    const verify = startBuilt(tool, { DATABASE_URL: url })
    expect(await verify.exited).toBe(1)
    expect(verify.lines).toEqual([expect.stringContaining(`broken at number ${rows[2]?.seq}`)])
  })

  test('finds the private database of DATA_DIR while it runs, and says what to do when it does not', async () => {
    const dir = await makeTestDir()
    const server = await startPrivatePostgres({ dir, settings: { fsync: 'off', max_connections: '20' } })
    onTestFinished(() => server.stop())
    await migrate(server.url, resolve('prisma/migrations'))
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    await client.query(insert)
    await client.end()

    const verify = startBuilt(tool, { DATA_DIR: dir })
    expect(await verify.exited).toBe(0)
    expect(verify.lines).toEqual([expect.stringContaining('intact: 1 entry')])

    await server.stop()
    const late = startBuilt(tool, { DATA_DIR: dir })
    expect(await late.exited).toBe(2)
    const refusal = /postgresql:\/\/\*\*\*@127\.0\.0\.1.* cannot be read: .*ECONNREFUSED.*npm start/
    expect(late.errorLines).toEqual([expect.stringMatching(refusal)])
  }, 60_000)

  test('says so when there is no installation, or when a setting is wrong, and ends with 2', async () => {
    const nothing = startBuilt(tool, { DATA_DIR: await makeTestDir() })
    const wrong = startBuilt(tool, { DATABASE_URL: 'mysql://canary@a', PORT: '0' })
    expect(await nothing.exited).toBe(2)
    expect(nothing.errorLines).toEqual([expect.stringContaining('There is no database yet')])
    expect(await wrong.exited).toBe(2)
    expect(wrong.errorLines.join('\n')).toMatch(/^PORT must .*\nDATABASE_URL must [^\n]*$/)
  })
})
