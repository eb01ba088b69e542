import type { Protocol } from 'puppeteer'
import type { RequestsCaptured } from '../../../src/contract/krull/replies.ts'
import { bounds } from './bounds.ts'

type Entry = RequestsCaptured['requests'][number]
type Network = Protocol.Network.ResponseReceivedEvent['response']

interface Asked {
  readonly url: string
  readonly method: string
  readonly type: string
  readonly initiator?: Protocol.Network.Initiator | undefined
}

interface Open {
  readonly entry: Entry
  readonly since: number
}

/** The requests of a page, from what the network of the browser tells. */
export class RequestLog {
  readonly requests: Entry[] = []
  /** How many there were, recorded or not. */
  total = 0
  readonly #open = new Map<string, Open>()

  /** A request goes out, or goes on to where the answer before it redirects. */
  begin(event: Protocol.Network.RequestWillBeSentEvent): void {
    const { requestId, request: { url, method }, type = 'Other', initiator, timestamp, redirectResponse } = event
    if (redirectResponse) {
      this.answer(requestId, redirectResponse)
      this.end(requestId, timestamp, redirectResponse.encodedDataLength)
    }
    // A frame with a process of its own reports its document a second time.
    if (this.#open.get(requestId)?.entry.url !== url) this.#add(requestId, { url, method, type, initiator }, timestamp)
  }

  /** A socket is opened. */
  beginSocket({ requestId, url, initiator }: Protocol.Network.WebSocketCreatedEvent): void {
    this.#add(requestId, { url, method: 'GET', type: 'WebSocket', initiator }, 0)
  }

  /** The head of an answer is there. */
  answer(requestId: string, { status, mimeType, headers }: Pick<Network, 'status' | 'headers'> & Partial<Pick<Network, 'mimeType'>>): void {
    const entry = this.#open.get(requestId)?.entry
    const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    if (entry) Object.assign(entry, { status, mimeType: mimeType ?? null, headers: lowered })
  }

  /** An answer is there as a whole; its entry, if it was recorded, can still be given the text. */
  end(requestId: string, timestamp: number, bytes: number): Entry | undefined {
    const open = this.#open.get(requestId)
    if (!open) return undefined
    this.#open.delete(requestId)
    return Object.assign(open.entry, { ms: msBetween(open.since, timestamp), size: Math.max(0, Math.round(bytes)) })
  }

  /** Nothing came back, or not all of it. */
  fail({ requestId, timestamp, errorText, blockedReason }: Protocol.Network.LoadingFailedEvent): void {
    const open = this.#open.get(requestId)
    if (!open) return
    this.#open.delete(requestId)
    const error = blockedReason === undefined ? errorText : `${errorText} (${blockedReason})`
    Object.assign(open.entry, { ms: msBetween(open.since, timestamp), error })
  }

  #add(requestId: string, { url, method, type, initiator }: Asked, since: number): void {
    if (/^(data|blob|about|chrome-error):/.test(url)) return
    this.total += 1
    if (this.requests.length >= bounds.requests) return
    const by = initiator?.url ?? initiator?.stack?.callFrames.find((frame) => frame.url !== '')?.url ?? initiator?.type
    const nothingYet = { status: null, ms: null, size: null, mimeType: null, headers: {} }
    const entry: Entry = { url, method, type: type.toLowerCase(), ...nothingYet, ...(by === undefined ? {} : { initiator: by }) }
    this.#open.set(requestId, { entry, since })
    this.requests.push(entry)
  }
}

const msBetween = (since: number, until: number): number => Math.max(0, Math.round((until - since) * 1_000_000) / 1_000)
