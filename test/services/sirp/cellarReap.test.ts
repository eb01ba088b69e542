import { describe, expect } from 'vitest'
import { newId } from '../../../src/platform/ids.ts'
import { reapContents } from '../../../src/services/sirp/cellar/reap.ts'
import { test, type RunningApi } from '../../support/api.ts'
import { contentOf, countContents, keepText, uploadText } from '../../support/cellar.ts'
import { expectProblem } from '../../support/problems.ts'

/** Makes every content older. */
const age = ({ house }: RunningApi, minutes: number): Promise<unknown> =>
  house.pool.query(`UPDATE cellar_contents SET created_at = created_at - $1 * interval '1 minute'`, [minutes])

/** A content as an upload leaves it behind when its process dies. */
async function leaveBehind({ house }: RunningApi, chunks: number): Promise<void> {
  const id = newId()
  await house.pool.query('INSERT INTO cellar_contents (id) VALUES ($1)', [id])
  await house.pool.query(`INSERT INTO cellar_chunks (content_id, sequence, bytes) SELECT $1, n, 'x' FROM generate_series(0, $2::int - 1) AS n`, [id, chunks])
}

describe('reapContents', () => {
  test('removes what a replaced or deleted file held, after its readers have had ten minutes', async ({ api, call }) => {
    await keepText(api, 'replaced', 'old')
    await keepText(api, 'deleted', 'old')
    await age(api, 60 * 24 * 365)
    await keepText(api, 'replaced', 'new', { replace: 'true' })
    await call('sirp.cellarFile.delete', { params: { name: 'deleted' } })
    expect(await reapContents(api.house)).toBe(0)
    await age(api, 9)
    expect(await reapContents(api.house)).toBe(0)
    expect(await countContents(api)).toEqual({ contents: 3, chunks: 3 })
    await age(api, 1)
    expect(await reapContents(api.house)).toBe(2)
    expect(await countContents(api)).toEqual({ contents: 1, chunks: 1 })
    expect((await contentOf(api, 'replaced')).toString()).toBe('new')
  })

  test('removes what a dead upload left behind, after a day, however much it is', async ({ api }) => {
    const before = await countContents(api)
    for (const chunks of [0, 1, 64, 65, 200]) await leaveBehind(api, chunks)
    await age(api, 60 * 24 - 1)
    expect(await reapContents(api.house)).toBe(0)
    await age(api, 1)
    expect(await Promise.all([reapContents(api.house), reapContents(api.house)])).toContain(5)
    expect(await countContents(api)).toEqual(before)
  })

  test('removes the content of an upload whose end was in doubt', async ({ api }) => {
    const before = await countContents(api)
    const failing = `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'going down' USING ERRCODE = '57P01'; END $$;
      CREATE TRIGGER fail BEFORE INSERT ON cellar_files FOR EACH ROW EXECUTE FUNCTION fail()`
    await api.house.pool.query(failing)
    const response = await uploadText(api, 'doubtful', 'x')
    await api.house.pool.query('DROP FUNCTION fail CASCADE')
    await expectProblem(response, 'unavailable')
    expect(await countContents(api)).toEqual({ contents: before.contents + 1, chunks: before.chunks + 1 })
    await age(api, 60 * 24)
    expect(await reapContents(api.house)).toBe(1)
    expect(await countContents(api)).toEqual(before)
  })

  test('keeps what a file holds, however old it is', async ({ api }) => {
    await keepText(api, 'old', 'kept')
    await age(api, 60 * 24 * 3650)
    await reapContents(api.house)
    expect((await contentOf(api, 'old')).toString()).toBe('kept')
  })
})
