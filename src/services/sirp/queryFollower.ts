import type { Readable } from 'node:stream'

/** Bytes that may wait for a slow client before it gets only the newest state. */
const behindBytes = 65_536

/** What is known of a query; each stage with the number of the reading that last changed it. */
export interface QueryState {
  change: number
  readonly stages: Map<number, { readonly json: string; readonly change: number }>
  status: { readonly word: string; readonly json: string; readonly ended: boolean }
}

/** One client that follows a query. */
export class Follower {
  readonly #stream: Readable
  #id = 0
  #seen = 0
  #lastStatus = ''
  #lastWord: string

  /** The client is told of the state in which it begins by whoever makes it. */
  constructor(stream: Readable, word: string) {
    this.#stream = stream
    this.#lastWord = word
  }

  /** Says where the query stands. */
  sendStatus(event: 'status' | 'progress' | 'done', json: string): void {
    this.#lastStatus = json
    this.#send(event, json)
  }

  /** Sends what has changed since it was last told; a client that does not keep up is told later, all at once. */
  tell({ change, stages, status }: QueryState): void {
    const isBehind = this.#stream.readableLength > behindBytes
    if (isBehind && !status.ended) return
    for (const stage of stages.values()) if (stage.change > this.#seen) this.#send('stage', stage.json)
    if (status.ended) this.end(status.json)
    else this.#tellProgress(status)
    this.#seen = change
  }

  #tellProgress({ word, json }: QueryState['status']): void {
    if (json === this.#lastStatus) return
    if (word !== this.#lastWord) this.sendStatus('status', json)
    this.#lastWord = word
    this.sendStatus('progress', json)
  }

  /** The last event, and the end of the stream. */
  end(statusJson?: string): void {
    if (statusJson !== undefined) this.sendStatus('done', statusJson)
    this.#stream.push(null)
  }

  /** A line that clients pass over. */
  remark(): void {
    this.#stream.push(': still there\n\n')
  }

  #send(event: string, json: string): void {
    this.#id += 1
    this.#stream.push(`id: ${this.#id}\nevent: ${event}\ndata: ${json}\n\n`)
  }
}
