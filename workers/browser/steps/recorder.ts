import type { CDPSession, Protocol } from 'puppeteer'
import type { RequestsCaptured } from '../../../src/contract/krull/replies.ts'
import { unfinishedBytes } from '../../../src/platform/utf8.ts'
import { settledWithin } from '../race.ts'
import { bounds } from './bounds.ts'
import { RequestLog } from './requestLog.ts'
import { inEveryTarget } from './targets.ts'
import type { Tab } from './tab.ts'

/** How long texts that are still on their way may take at the end. */
const lastTextsMs = 5_000

/** Records the requests of a page with all its frames, workers and sockets. */
export class Recorder {
  readonly #tab: Tab
  readonly #withText: boolean
  readonly #log = new RequestLog()
  #textBytesLeft: number = bounds.responsesBytes
  #reading: Promise<void> = Promise.resolve()

  private constructor(tab: Tab, withText: boolean) {
    this.#tab = tab
    this.#withText = withText
  }

  /** Begins to record, before the page is asked for. */
  static async open(tab: Tab, { responseText = false }: { readonly responseText?: boolean }): Promise<Recorder> {
    const recorder = new Recorder(tab, responseText)
    await inEveryTarget(tab.session, (session) => recorder.#listen(session))
    return recorder
  }

  /** What was recorded so far. */
  async read(): Promise<Pick<RequestsCaptured, 'requests' | 'total'>> {
    await settledWithin(lastTextsMs, this.#reading)
    const { requests, total } = this.#log
    return { requests: requests.map((entry) => this.#explain({ ...entry })), total }
  }

  async #listen(session: CDPSession): Promise<void> {
    const log = this.#log
    session.on('Network.requestWillBeSent', (event) => log.begin(event))
    session.on('Network.responseReceived', ({ requestId, response }) => log.answer(requestId, response))
    session.on('Network.loadingFinished', (event) => this.#onEnd(session, event))
    session.on('Network.loadingFailed', (event) => log.fail(event))
    session.on('Network.webSocketCreated', (event) => log.beginSocket(event))
    session.on('Network.webSocketHandshakeResponseReceived', ({ requestId, response }) => log.answer(requestId, response))
    await session.send('Network.enable', { maxTotalBufferSize: bounds.heldResponsesBytes, maxResourceBufferSize: bounds.heldResponseBytes })
  }

  #onEnd(session: CDPSession, { requestId, timestamp, encodedDataLength }: Protocol.Network.LoadingFinishedEvent): void {
    const entry = this.#log.end(requestId, timestamp, encodedDataLength)
    if (!entry || !this.#withText) return
    // One after another, so that few large texts are on their way at once; one that the browser holds no more is left out.
    this.#reading = this.#reading.then(() => this.#readText(session, requestId, entry)).catch(() => undefined)
  }

  async #readText(session: CDPSession, requestId: string, entry: { responseText?: string }): Promise<void> {
    if (this.#textBytesLeft <= 0) return
    const { body, base64Encoded } = await session.send('Network.getResponseBody', { requestId })
    if (base64Encoded) return
    const bytes = Buffer.from(body).subarray(0, Math.min(bounds.responseBytes, this.#textBytesLeft))
    entry.responseText = bytes.toString('utf8', 0, bytes.length - unfinishedBytes(bytes))
    this.#textBytesLeft -= bytes.length
  }

  /** What our own way out answers in the place of a host is not an answer of that host. */
  #explain(entry: RequestsCaptured['requests'][number]): RequestsCaptured['requests'][number] {
    const known = entry.status === 403 || entry.status === 502 ? this.#tab.visit.egress.problemOf(entry.url) : undefined
    if (!known || entry.mimeType !== 'text/plain') return entry
    const { responseText: _text, ...rest } = entry
    return { ...rest, status: null, size: null, mimeType: null, headers: {}, error: known.message }
  }
}
