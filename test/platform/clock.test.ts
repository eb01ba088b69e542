import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { pause, systemClock } from '../../src/platform/clock.ts'

const tookMs = async (work: Promise<void>): Promise<number> => {
  const began = performance.now()
  await work
  return performance.now() - began
}

describe('the clock', () => {
  test('is the time of the machine in milliseconds', () => {
    expect(Math.abs(systemClock() - Date.now())).toBeLessThan(1_000)
  })
})

describe('pause', () => {
  test('waits as long as it is told', async () => {
    expect(await tookMs(pause(50))).toBeGreaterThanOrEqual(49)
  })

  test('ends at once when its signal is aborted, before or meanwhile', async () => {
    expect(await tookMs(pause(60_000, AbortSignal.abort()))).toBeLessThan(1_000)
    const waiting = new AbortController()
    const paused = pause(60_000, waiting.signal)
    expect(getEventListeners(waiting.signal, 'abort')).toHaveLength(1)
    waiting.abort()
    expect(await tookMs(paused)).toBeLessThan(1_000)
  })

  test('takes its listener off the signal when its time is up', async () => {
    const { signal } = new AbortController()
    for (let turn = 0; turn < 3; turn += 1) await pause(1, signal)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
