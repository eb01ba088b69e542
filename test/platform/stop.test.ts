import { describe, expect, test, vi } from 'vitest'
import { LightStop, signalOf } from '../../src/platform/stop.ts'

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
