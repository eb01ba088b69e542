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

const downMs = 8_000

describe('a PostgreSQL that is ended at once and started again', () => {
  test('costs no query, doubles no row, and ends no process', { timeout: 180_000 }, async () => {
    const dir = await makeTestDir()
    let postgres = await startPrivatePostgres({ dir })
    onTestFinished(() => postgres.stop())
    await migrate(postgres.url, resolve('prisma/migrations'))
    const stand = await openStand({ workers: 2, databaseUrl: postgres.url })
    const load = new Load(stand)
    const tasks = mixedTasks(80, stand.site.origin)

    await load.dispatchAll(tasks.slice(0, 40))
    await postgres.kill()
    const rest = load.dispatchAll(tasks.slice(40))
    await pause(downMs)
    postgres = await startPrivatePostgres({ dir, port: postgres.port })
    await rest
    await comeToRest(stand)

    const verdict = await judge(stand, tasks)
    expect(verdict, complaintsOf(stand)).toMatchObject({ lost: [], wrong: [], misfrozen: [], unasked: [] })
    expect(verdict.mostHits).toBeLessThanOrEqual(2)
    expect(stand.ledger.read().size).toBe(tasks.length)
    expect(load.unexpected).toEqual([])
    expect(stand.places.filter((place) => place.hasEnded)).toEqual([])
  })
})
