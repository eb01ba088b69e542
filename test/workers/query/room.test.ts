import { expect, test } from 'vitest'
import { Room } from '../../../workers/query/room.ts'

test('work enters as long as less is held than there is room for, the last of it beyond', async () => {
  const room = new Room(10)
  expect(await room.enter(8)).not.toBeNull()
  expect(await room.enter(8)).not.toBeNull()
  expect(await room.enter(1)).toBeNull()
})

test('work that waits enters as soon as other work leaves', async () => {
  const room = new Room(1)
  const leave = await room.enter(1)
  const waiting = room.enter(1)
  leave?.()
  expect(await waiting).not.toBeNull()
})

test('one that leaves lets one in, and the others wait on', async () => {
  const room = new Room(1)
  const leave = await room.enter(1)
  const waiting = [room.enter(1), room.enter(1)]
  leave?.()
  const entered = await Promise.all(waiting)
  expect(entered.filter((left) => left !== null)).toHaveLength(1)
})

test('refusals come one after the other', async () => {
  const room = new Room(1)
  await room.enter(1)
  const start = performance.now()
  const refusedAt = await Promise.all(Array.from({ length: 4 }, async () => (await room.enter(1)) ?? performance.now() - start))
  expect(refusedAt).toEqual([expect.any(Number), expect.any(Number), expect.any(Number), expect.any(Number)])
  expect(Number(refusedAt[3]) - Number(refusedAt[0])).toBeGreaterThan(50)
})
