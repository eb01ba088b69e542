import { Client, Pool, type Dispatcher } from 'undici'

/** A request, and who wants to know the connection that it is given to: undici wraps its handler on the way. */
export interface LineOptions extends Dispatcher.DispatchOptions {
  readonly rider?: { board(line: Line): void }
}

/** A connection of a pool, made anew whenever it has ended, which knows whether it has carried an answer since. */
export class Line extends Client {
  #hasAnswered = false

  constructor(...parameters: ConstructorParameters<typeof Client>) {
    super(...parameters)
    this.on('disconnect', () => {
      this.#hasAnswered = false
    })
  }

  get hasAnswered(): boolean {
    return this.#hasAnswered
  }

  /** Told by the request that it carries: a whole answer has come. */
  answered(): void {
    this.#hasAnswered = true
  }

  override dispatch(options: LineOptions, handler: Dispatcher.DispatchHandler): boolean {
    options.rider?.board(this)
    return super.dispatch(options, handler)
  }
}

/** Makes the pool of one origin. */
export const poolOfLines = (origin: string | URL, options: object): Pool =>
  new Pool(origin, { ...options, factory: (place: URL, more: object) => new Line(place, more) })
