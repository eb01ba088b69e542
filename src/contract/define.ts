import type { Static, TObject, TSchema } from 'typebox'
import type { Scope } from './scopes.ts'

/** Where an operation comes from: the interface, one of its six repeats, or what we offer beyond it. */
export type Origin = 'interface' | 'repeat' | 'beyond'

/** How an operation answers when all goes well. */
export interface Reply {
  readonly status: 200 | 201 | 202 | 204
  /** The JSON that is answered; absent for 204 and for streams. */
  readonly body?: TSchema
  /** Content types of a streamed answer, in place of JSON or, where the caller asks for it, beside it. */
  readonly stream?: readonly string[]
  /** Address of what was made; `:field` is taken from the answered record. */
  readonly location?: string
  /** The 202 of work that goes on, for callers who do not wait for its end. */
  readonly accepted?: { readonly body: TSchema; readonly location: string }
}

/** One row of the operation table. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path with `:name` for parameters. */
  readonly path: string
  readonly summary: string
  /** What the summary and the schemas do not say. */
  readonly description?: string
  /** What the caller's key must allow; `public` needs no key. */
  readonly scope: Scope | 'public'
  /** What suffices in its place for what the caller's own key has started; all else is not found then. */
  readonly ownScope?: Scope
  /** `interface` unless said otherwise. */
  readonly origin?: Origin
  readonly params?: TObject
  readonly query?: TObject
  readonly body?: TSchema
  /** The body may be left out altogether. */
  readonly bodyOptional?: true
  /** The fields of the multipart form that is accepted beside JSON; the service then reads the body itself, as a stream with bounds of its own. */
  readonly form?: TObject
  /** Largest body, where it is not the usual 8 MiB. */
  readonly maxBytes?: number
  /** Starts work on the cluster: admission caps apply, and it needs Redis. */
  readonly startsWork?: true
  /** A POST that changes nothing, and so leaves no trace in the audit log. */
  readonly pure?: true
  readonly reply: Reply
  /** A body that works when pasted (names aside); shown in the reference and sent by a test. */
  readonly example?: unknown
}

/** Declares operations; the ids and schemas stay literal, so that everything else can be derived from them. */
export function defineOperations<const Table extends Record<string, Operation>>(table: Table): Table {
  return table
}

type Part<Row, Key extends string> = Row extends { readonly [K in Key]: infer Schema extends TSchema } ? Static<Schema> : undefined

/** The decoded parameters, query and body of an operation, as its handler receives them. */
export interface InputOf<Row> {
  readonly params: Part<Row, 'params'>
  readonly query: Part<Row, 'query'>
  readonly body: Row extends { readonly bodyOptional: true } ? Part<Row, 'body'> | undefined : Part<Row, 'body'>
}

/** What an operation answers in place of its usual JSON when the work goes on. */
export type AcceptedOf<Row> = Row extends { readonly reply: { readonly accepted: { readonly body: infer Schema extends TSchema } } } ? Static<Schema> : never

/** The JSON that an operation answers. */
export type AnswerOf<Row> = Row extends { readonly reply: { readonly body: infer Schema extends TSchema } } ? Static<Schema> : undefined
