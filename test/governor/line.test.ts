import { describe, expect, test } from 'vitest'
import { mostWithin } from '../../ops/bench/observer.ts'
import { lateMs } from '../../src/governor/bounds.ts'
import { pause } from '../../src/platform/clock.ts'
import { install, permitted, refused } from '../support/governors.ts'

describe('the line of a domain', () => {
  test('keeps the place and the time of who was refused first', async () => {
    const { open } = install({ 'shop.example': { perMinute: 1 } })
    const [a, b] = [open(), open()]
    permitted(await a.take('shop.example', { id: 'first' })).answered()
    const second = refused(await a.take('shop.example', { id: 'second' }))
    const third = refused(await b.take('shop.example', { id: 'third' }))
    expect([second.position, third.position]).toEqual([0, 1])
    expect(Number(third.nextAt) - Number(second.nextAt)).toBeGreaterThan(59_000)
    expect(refused(await b.take('shop.example', { id: 'second' }))).toMatchObject({ position: 0, since: second.since })
    await a.leave('shop.example', { id: 'second' })
    expect(refused(await b.take('shop.example', { id: 'third' }))).toMatchObject({ position: 0, since: third.since })
  })

  test('lets nobody past who is about to look again', async () => {
    const { open } = install({ 'shop.example': { perSecond: 1 } })
    const [a, b] = [open(), open()]
    permitted(await a.take('shop.example', { id: 'first' })).answered()
    const { waitMs } = refused(await a.take('shop.example', { id: 'second' }))
    await pause((waitMs ?? 0) + 20)
    expect(refused(await b.take('shop.example', { id: 'pushy' })).position).toBe(1)
    permitted(await a.take('shop.example', { id: 'second' }))
  })

  test('lets others past who does not come back, yet keeps the place', async () => {
    const { open } = install({ 'shop.example': { perSecond: 1 } })
    const governor = open()
    permitted(await governor.take('shop.example', { id: 'first' })).answered()
    const gone = refused(await governor.take('shop.example', { id: 'gone' }))
    await pause((gone.waitMs ?? 0) + lateMs + 50)
    permitted(await governor.take('shop.example', { id: 'other' })).answered()
    refused(await governor.take('shop.example', { id: 'another' }))
    expect(refused(await governor.take('shop.example', { id: 'gone' }))).toMatchObject({ position: 0, since: gone.since })
  })

  test('is not joined by who does not want to, and does not let it push in either', async () => {
    const governor = install({ 'shop.example': { perMinute: 1 } }).open()
    permitted(await governor.take('shop.example', { id: 'first' })).answered()
    const outside = refused(await governor.take('shop.example', { id: 'outside' }, { joins: false }))
    expect(outside.position).toBe(0)
    expect(refused(await governor.take('shop.example', { id: 'second' })).position).toBe(0)
    expect(refused(await governor.take('shop.example', { id: 'outside' }, { joins: false })).position).toBe(1)
    expect((await governor.view({ offset: 0, limit: 1 })).items[0]?.waiting).toBe(1)
  })

  test('is not looked at by all who stand in it at once, however long they have to wait', async () => {
    const { open } = install({ 'shop.example': { perMinute: 1 } })
    const governor = open()
    permitted(await governor.take('shop.example', { id: 'first' })).answered()
    const looksAt: number[] = []
    for (let count = 0; count < 300; count += 1) looksAt.push(Date.now() + (refused(await governor.take('shop.example', { id: `${count}` })).waitMs ?? 0))
    expect(mostWithin(looksAt, 1_000)).toBeLessThanOrEqual(10)
    expect(Math.max(...looksAt) - Date.now()).toBeLessThan(180_000)
  })

  test('of holders that never come back does not keep the slots from others', async () => {
    const { open } = install({ 'shop.example': { perSecond: 5 } })
    const governor = open()
    for (let count = 0; count < 5; count += 1) permitted(await governor.take('shop.example', { id: `first${count}` })).answered()
    for (let count = 0; count < 50; count += 1) refused(await governor.take('shop.example', { id: `gone${count}` }))
    const { nextAt, waitMs } = refused(await governor.take('shop.example', { id: 'last' }))
    expect(Number(nextAt) - Date.now()).toBeGreaterThan(8_000)
    expect(waitMs).toBeLessThan(Number(nextAt) - Date.now() - 1_000)
    await pause(2_000)
    await expect.poll(async () => (await governor.take('shop.example', { id: 'last' })).go, { interval: 400, timeout: 4_000 }).toBe(true)
  })
})
