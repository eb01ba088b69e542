import type { CDPSession, Protocol } from 'puppeteer'
import type { Visit } from '../visit.ts'
import { bounds } from './bounds.ts'
import { Documents } from './documents.ts'

/** The world of our own scripts in a page: it shares the document with the page, and no object. */
export const worldName = 'quern'

/** The head of an answer. */
export interface DocumentAnswer {
  readonly url: string
  readonly status: number
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** What a caller of steps may set. */
export interface TabOptions {
  /** Called before every document of the main frame is asked for, redirects included; what it throws ends the step. */
  readonly permit?: ((url: string) => Promise<void>) | undefined
  /** Called with the head of every answer to a document of the main frame. */
  readonly answered?: ((answer: DocumentAnswer) => void) | undefined
  readonly navigationMs?: number | undefined
}

/** What CDP says of a document that was left meanwhile. */
const leftWords = new RegExp([
  'Cannot find context', 'context was destroyed', 'navigated or closed', 'No frame for given id', 'Cannot find execution context',
  'Promise was collected', 'Could not find object with given id', 'same JavaScript world',
].join('|'), 'i')

/** A visit with a line of its own to its page. */
export class Tab {
  readonly visit: Visit
  readonly session: CDPSession
  readonly frameId: string
  readonly documents: Documents
  readonly navigationMs: number
  readonly permit: TabOptions['permit']
  /** What a permit threw, if one did. */
  refusal: Error | undefined

  private constructor(visit: Visit, session: CDPSession, frameId: string, { permit, answered, navigationMs = bounds.navigationMs }: TabOptions) {
    this.visit = visit
    this.session = session
    this.frameId = frameId
    this.documents = new Documents(visit.page, answered)
    this.permit = permit
    this.navigationMs = navigationMs
  }

  /** Opens the line. It ends with the context of the visit. */
  static async open(visit: Visit, options: TabOptions = {}): Promise<Tab> {
    const session = await visit.page.createCDPSession()
    const { frameTree } = await session.send('Page.getFrameTree')
    return new Tab(visit, session, frameTree.frame.id, options)
  }

  /** Ends the line, where the page lives on for other tabs. */
  async close(): Promise<void> {
    this.documents.end()
    await this.session.detach()
  }

  /** Calls a function, given as its source, with one argument in our own world; again where the page goes elsewhere meanwhile. */
  async ask<T>(source: string, argument: unknown = null): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.askOnce<T>(source, argument)
      } catch (error) {
        if (attempt === 3 || !isLeft(error)) throw error
      }
    }
  }

  /** The same for what must not be done twice. */
  async askOnce<T>(source: string, argument: unknown = null): Promise<T> {
    const { executionContextId } = await this.session.send('Page.createIsolatedWorld', { frameId: this.frameId, worldName })
    const expression = `(${source})(JSON.parse(${JSON.stringify(JSON.stringify(argument))}))`
    const how = { contextId: executionContextId, awaitPromise: true, returnByValue: true, userGesture: true }
    const answer = await this.session.send('Runtime.evaluate', { expression, ...how })
    if (answer.exceptionDetails) throw new Error(`A script of ours failed: ${describeThrown(answer.exceptionDetails)}`)
    return answer.result.value as T // the caller knows what its own source answers
  }
}

/** Whether a call failed because the page went elsewhere. */
export const isLeft = (error: unknown): boolean => error instanceof Error && leftWords.test(error.message)

/** What was thrown, with its stack where it is an error. */
export function describeThrown({ exception, text }: Protocol.Runtime.ExceptionDetails): string {
  const thrown: unknown = exception?.value
  const words = exception?.description ?? (thrown === undefined ? text : typeof thrown === 'string' ? thrown : JSON.stringify(thrown))
  return words.slice(0, bounds.errorChars)
}
