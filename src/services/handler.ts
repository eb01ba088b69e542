import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { OperationId, Operations } from '../contract/index.ts'
import type { AcceptedOf, AnswerOf, InputOf } from '../contract/define.ts'

/** Who sent a request, as the API key says. */
export interface Caller {
  readonly keyId: string
  readonly name: string
  readonly scopes: readonly string[]
  /** When the key ends, in epoch milliseconds; null for never. */
  readonly expiresAt: number | null
}

/** The `Prefer` header of a request. */
export interface Preferences {
  /** Seconds that the answer may be held for the work to end. */
  readonly waitS?: number
  /** Answer with the job at once. */
  readonly async?: true
}

/** What every handler knows about its request, whatever the operation. */
export interface RequestFacts {
  readonly operation: OperationId
  readonly requestId: string
  readonly caller: Caller
  /** Whether the caller may see no more than what its own key has started. */
  readonly ownOnly: boolean
  /** Address that the request came from. */
  readonly address: string
  /** Id for what the request creates: a repeat with the same Idempotency-Key gets the same one. */
  readonly newId: string
  /** Whether an Idempotency-Key came with it, so that what it creates may be there already. */
  readonly repeatable: boolean
  /** The version that `If-Match` asks for; `undefined` asks for none. */
  readonly ifMatch: number | undefined
  /** What the client wishes of the answer. */
  readonly prefer: Preferences
  /** The raw request, for operations that read their upload themselves. */
  readonly upload: IncomingMessage
}

/** A request of one operation, checked against its schemas. */
export interface Request<Id extends OperationId> extends RequestFacts, InputOf<Operations[Id]> {}

/** A streamed answer in place of JSON. */
export class Download {
  readonly stream: Readable
  readonly contentType: string
  /** Makes it an attachment of this name. */
  readonly filename: string | undefined
  readonly bytes: number | undefined
  /** A name for bytes that never change: whoever has them need not ask again. */
  readonly immutable: string | undefined
  /** Made by us and harmless, so that it may be shown where it is asked for. */
  readonly inline: boolean

  constructor(stream: Readable, contentType: string, options: { filename?: string; bytes?: number; immutable?: string; inline?: true } = {}) {
    this.stream = stream
    this.contentType = contentType
    this.filename = options.filename
    this.bytes = options.bytes
    this.immutable = options.immutable
    this.inline = options.inline ?? false
  }
}

/** An answer with another status than its operation usually has. */
export class WithStatus<Body> {
  readonly status: 200 | 202
  readonly body: Body

  constructor(status: 200 | 202, body: Body) {
    this.status = status
    this.body = body
  }
}

/** The answer of work that goes on: 202, and where it is found. */
export class Accepted<Body> {
  readonly body: Body

  constructor(body: Body) {
    this.body = body
  }
}

type Row<Id extends OperationId> = Operations[Id]['reply']

/** JSON, a stream, or either, as the row says. */
type Answer<Id extends OperationId> =
  | (Row<Id> extends { readonly stream: readonly string[] } ? Download : never)
  | (Row<Id> extends { readonly accepted: object } ? Accepted<AcceptedOf<Operations[Id]>> : never)
  | (Row<Id> extends { readonly stream: readonly string[]; readonly body?: undefined } ? never : AnswerOf<Operations[Id]> | WithStatus<AnswerOf<Operations[Id]>>)

/** Does one operation. */
export type Handler<Id extends OperationId> = (request: Request<Id>) => Promise<Answer<Id>>

/** The handlers of some operations. */
export type HandlersOf<Ids extends OperationId> = { readonly [Id in Ids]: Handler<Id> }
