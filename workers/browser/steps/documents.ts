import type { Frame, HTTPRequest, HTTPResponse, Page } from 'puppeteer'
import type { DocumentAnswer } from './tab.ts'

/** Follows the documents that are asked for in the main frame of a page. */
export class Documents {
  readonly #page: Page
  readonly #answered: ((answer: DocumentAnswer) => void) | undefined
  #asked: HTTPRequest | undefined
  #shown: HTTPRequest | undefined
  #begun = 0

  /** `answered` hears of every answer to a document. */
  constructor(page: Page, answered?: (answer: DocumentAnswer) => void) {
    this.#page = page
    this.#answered = answered
    page.on('request', this.#onRequest)
    page.on('response', this.#onResponse)
    page.on('framenavigated', this.#onNavigated)
  }

  /** Listens to the page no more. */
  end(): void {
    this.#page.off('request', this.#onRequest)
    this.#page.off('response', this.#onResponse)
    this.#page.off('framenavigated', this.#onNavigated)
  }

  /** How many documents were asked for so far; a redirect asks again. */
  get begun(): number {
    return this.#begun
  }

  /** The address that was asked for last. */
  get lastUrl(): string {
    return this.#asked?.url() ?? this.#page.url()
  }

  /** Why the document that was asked for last did not come, in the words of Chromium. */
  get failure(): string | undefined {
    return this.#asked?.failure()?.errorText
  }

  /** The answer that the page is made of. */
  get response(): HTTPResponse | null {
    return this.#shown?.response() ?? null
  }

  /** Takes the answer of a load that has ended. */
  show(response: HTTPResponse | null): void {
    if (response) this.#shown = response.request()
  }

  readonly #onRequest = (request: HTTPRequest): void => {
    if (!this.#isDocument(request)) return
    this.#asked = request
    this.#begun += 1
  }

  readonly #onResponse = (response: HTTPResponse): void => {
    if (this.#isDocument(response.request())) this.#answered?.({ url: response.url(), status: response.status(), headers: response.headers() })
  }

  readonly #onNavigated = (frame: Frame): void => {
    if (frame === this.#page.mainFrame()) this.#shown = this.#asked
  }

  readonly #isDocument = (request: HTTPRequest): boolean => request.isNavigationRequest() && request.frame() === this.#page.mainFrame()
}
