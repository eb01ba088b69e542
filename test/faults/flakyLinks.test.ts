import { describe, expect, onTestFinished, test } from 'vitest'
import { cloneDatabase } from '../support/database.ts'
import { openTcpProxy } from '../support/tcpProxy.ts'
import { comeToRest, Load } from './harness/load.ts'
import { complaintsOf, openStand } from './harness/stand.ts'
import { strength } from './harness/strength.ts'
import { mixedTasks } from './harness/tasks.ts'
import { judge } from './harness/verdict.ts'

describe('links that lose one piece of a hundred with its connection, and bring another one late', () => {
  test('to Redis and to PostgreSQL cost no query, double no row, and end no process', { timeout: strength(180_000, 400_000) }, async () => {
    const database = await cloneDatabase()
    onTestFinished(database.drop)
    const toDatabase = await openTcpProxy(database.url)
    onTestFinished(() => toDatabase.close())
    const stand = await openStand({ workers: 2, proxied: true, databaseUrl: database.url, settings: { DATABASE_URL: toDatabase.url } })
    const load = new Load(stand)
    const tasks = mixedTasks(strength(80, 400), stand.site.origin)
    for (const proxy of [toDatabase, stand.proxy]) proxy?.setMood('flaky')
    await load.dispatchAll(tasks)
    await comeToRest(stand, 120_000)
    for (const proxy of [toDatabase, stand.proxy]) proxy?.setMood('open')
    expect(await judge(stand, tasks), complaintsOf(stand)).toMatchObject({ lost: [], wrong: [], misfrozen: [], unasked: [] })
    expect(stand.ledger.read().size).toBe(tasks.length)
    expect(load.unexpected).toEqual([])
    expect(stand.places.filter((place) => place.hasEnded)).toEqual([])
  })
})
