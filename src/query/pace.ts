/** Work between two turns of the event loop: timers fire in between, and a cancel is seen. */
const turnMs = 20

/** Lets others have their turn in the midst of long work, and ends the work when it is cancelled. */
export class Pace {
  readonly #signal: AbortSignal
  #until = performance.now() + turnMs

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /** Throws the reason of a cancel; answers a promise only when it is time to wait, so that the rest costs nothing. */
  giveWay(): Promise<void> | undefined {
    this.#signal.throwIfAborted()
    return performance.now() < this.#until ? undefined : this.#turn()
  }

  async #turn(): Promise<void> {
    await nextTurn()
    this.#until = performance.now() + turnMs
    this.#signal.throwIfAborted()
  }
}

const line: (() => void)[] = []

/** Works that wait take turns, one in each round of the event loop: however many there are, others wait for one of them at most. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (line.push(resolve) === 1) setImmediate(callNext)
  })
}

function callNext(): void {
  line.shift()?.()
  if (line.length > 0) setImmediate(callNext)
}

/** Hands items on as they come, giving way between them. */
export async function* paced<Item>(items: AsyncIterable<Item>, pace: Pace): AsyncGenerator<Item> {
  for await (const item of items) {
    const turn = pace.giveWay()
    if (turn) await turn
    yield item
  }
}
