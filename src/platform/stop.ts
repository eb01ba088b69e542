/** Hears that work is to end. */
export interface StopListener {
  handleEvent(): void
}

/** Tells work that it is to end: an AbortSignal, or a light one. */
export interface Stop {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: StopListener): void
  removeEventListener(type: 'abort', listener: StopListener): void
}

/** A stop that costs next to nothing until somebody needs a signal of the platform: work that is done for every row has one each. */
export class LightStop implements Stop {
  aborted = false
  reason: unknown
  readonly #listeners: StopListener[] = []
  #controller: AbortController | undefined

  /** The same stop as a signal of the platform. */
  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.aborted) this.#controller.abort(this.reason)
    }
    return this.#controller.signal
  }

  abort(reason: unknown): void {
    if (this.aborted) return
    this.aborted = true
    this.reason = reason
    this.#controller?.abort(reason)
    for (const listener of this.#listeners.splice(0)) listener.handleEvent()
  }

  addEventListener(_type: 'abort', listener: StopListener): void {
    this.#listeners.push(listener)
  }

  removeEventListener(_type: 'abort', listener: StopListener): void {
    const at = this.#listeners.lastIndexOf(listener)
    if (at >= 0) this.#listeners.splice(at, 1)
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason
  }
}

/** Any stop as a signal of the platform. */
export const signalOf = (stop: Stop): AbortSignal => (stop instanceof LightStop ? stop.signal : (stop as AbortSignal)) // there are only these two

/**
 * A stop of its own that also ends with another. It must be let go of when its work is over; AbortSignal.any needs that not, and takes
 * several times as long, which counts where every job has some.
 */
export class LinkedStop {
  readonly #controller = new AbortController()
  readonly #parent: AbortSignal | undefined

  constructor(parent: AbortSignal | undefined) {
    this.#parent = parent
    if (parent?.aborted) this.#controller.abort(parent.reason)
    else parent?.addEventListener('abort', this)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason)
  }

  /** The other one has ended. */
  handleEvent(): void {
    this.#controller.abort(this.#parent?.reason)
  }

  letGo(): void {
    this.#parent?.removeEventListener('abort', this)
  }
}
