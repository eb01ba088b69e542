import { describe, expect, test, vi } from 'vitest'
import { LightStop, LinkedStop, signalOf } from '../../src/platform/stop.ts'

describe('a light stop', () => {
  test('tells all who listen, once, and why', () => {
    const stop = new LightStop()
    const [heard, gone] = [{ handleEvent: vi.fn<() => void>() }, { handleEvent: vi.fn<() => void>() }]
    stop.addEventListener('abort', heard)
    stop.addEventListener('abort', gone)
    stop.removeEventListener('abort', gone)
    expect(() => stop.throwIfAborted()).not.toThrow()
    stop.abort('first')
    stop.abort('second')
    expect(heard.handleEvent).toHaveBeenCalledTimes(1)
    expect(gone.handleEvent).not.toHaveBeenCalled()
    expect(stop).toMatchObject({ aborted: true, reason: 'first' })
    expect(() => stop.throwIfAborted()).toThrow('first')
  })

  test('is a signal of the platform for whoever needs one, before and after its end', () => {
    const [early, late] = [new LightStop(), new LightStop()]
    const { signal } = early
    expect(signal.aborted).toBe(false)
    early.abort('over')
    late.abort('over')
    for (const given of [signal, signalOf(early), signalOf(late)]) expect(given).toMatchObject({ aborted: true, reason: 'over' })
    expect(signalOf(early)).toBe(signal)
  })

  test('leaves a signal of the platform what it is', () => {
    const { signal } = new AbortController()
    expect(signalOf(signal)).toBe(signal)
  })
})

describe('a linked stop', () => {
  test('ends with the other one and for its reason, or by itself', () => {
    const parent = new AbortController()
    const [one, own, late] = [new LinkedStop(parent.signal), new LinkedStop(parent.signal), new LinkedStop(undefined)]
    own.abort('mine')
    parent.abort('theirs')
    expect([one, own, new LinkedStop(parent.signal)].map(({ signal }) => [signal.aborted, signal.reason as unknown])).toEqual([[true, 'theirs'], [true, 'mine'], [true, 'theirs']])
    expect(late.signal.aborted).toBe(false)
  })

  test('that was let go of outlives the other one', () => {
    const parent = new AbortController()
    const stop = new LinkedStop(parent.signal)
    stop.letGo()
    parent.abort('theirs')
    expect(stop.signal.aborted).toBe(false)
  })
})
