import { resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startPrivatePostgres } from '../../ops/up/privatePostgres.ts'
import { pause } from '../../src/platform/clock.ts'
import { migrate } from '../../src/platform/migrations.ts'
import { makeTestDir } from '../support/testDir.ts'
import { comeToRest, Load } from './harness/load.ts'
import { complaintsOf, openStand } from './harness/stand.ts'
import { mixedTasks } from './harness/tasks.ts'
import { judge } from './harness/verdict.ts'

/** Longer than any lease. */
const downMs = 20_000
const heldPaths = [0, 1, 2, 3].map((n) => `/hang/${n}`)

const answer = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'

describe('a PostgreSQL that is ended at once and started again', () => {
  test('costs no query, doubles no row, and ends no process', { timeout: 180_000 }, async () => {
    const dir = await makeTestDir()
    let postgres = await startPrivatePostgres({ dir })
    onTestFinished(() => postgres.stop())
    await migrate(postgres.url, resolve('prisma/migrations'))
    const stand = await openStand({ workers: 2, databaseUrl: postgres.url })
    const load = new Load(stand)
    const tasks = mixedTasks(80, stand.site.origin)

    const held = await stand.call('sirp.query.dispatch', { body: { query: `range ${heldPaths.length} || api get ${stand.site.origin}/hang/$n$` } })
    await expect.poll(() => stand.site.hanging.size, { timeout: 20_000 }).toBe(heldPaths.length)
    await load.dispatchAll(tasks.slice(0, 40))
    await postgres.kill()
    const rest = load.dispatchAll(tasks.slice(40))
    for (const socket of stand.site.hanging) socket.end(answer)
    await pause(downMs)
    postgres = await startPrivatePostgres({ dir, port: postgres.port })
    await rest
    await comeToRest(stand)

    // What came while the database was away was kept for it, and not asked for again.
    expect(await stand.call('sirp.query.results', { params: { id: held.id } })).toMatchObject({ total: heldPaths.length })
    expect(heldPaths.map((path) => stand.site.hits.get(path))).toEqual(heldPaths.map(() => 1))
    const verdict = await judge(stand, tasks)
    expect(verdict, complaintsOf(stand)).toMatchObject({ lost: [], wrong: [], misfrozen: [], unasked: [] })
    expect(verdict.mostHits).toBeLessThanOrEqual(2)
    expect(stand.ledger.read().size).toBe(tasks.length)
    expect(load.unexpected).toEqual([])
    expect(stand.places.filter((place) => place.hasEnded)).toEqual([])
  })
})
