import type { AnswerOf, InputOf, Operation } from '../contract/define.ts'
import { operations, type OperationId, type Operations } from '../contract/index.ts'

/** Where a client calls, and with which key. */
export interface ClientOptions {
  readonly baseUrl: string
  readonly apiKey: string
  /** Scheme word of the Authorization header. */
  readonly scheme?: string
}

type Given<Value> = [Value] extends [undefined] ? { readonly [K in never]: never } : Value

/** The parts of a call; only those that the operation has. */
export type CallOf<Id extends OperationId> = (InputOf<Operations[Id]>['params'] extends undefined ? unknown : { readonly params: InputOf<Operations[Id]>['params'] }) &
  (InputOf<Operations[Id]>['body'] extends undefined ? unknown : { readonly body: Given<InputOf<Operations[Id]>['body']> }) & {
    readonly query?: Readonly<Record<string, string | number | boolean>>
    readonly headers?: Readonly<Record<string, string>>
    readonly signal?: AbortSignal
  }

/** A failed call: the members of the problem that the service answered. */
export class CallFailed extends Error {
  override readonly name = 'CallFailed'
  readonly status: number
  readonly code: string
  readonly requestId: string
  readonly problem: Readonly<Record<string, unknown>>

  constructor(problem: Record<string, unknown>, status: number) {
    super(String(problem['detail'] ?? `HTTP ${status}`))
    this.status = status
    this.code = String(problem['code'] ?? '')
    this.requestId = String(problem['requestId'] ?? '')
    this.problem = problem
  }
}

/** Calls one operation and answers its decoded JSON, or throws `CallFailed`. */
export type Call = <Id extends OperationId>(id: Id, input?: CallOf<Id>) => Promise<AnswerOf<Operations[Id]>>

interface LooseCall {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** One typed function over the whole operation table. */
export function createClient(options: ClientOptions): Call {
  return async (id, input) => {
    const response = await send(options, id, input ?? {})
    const answer = readAnswer(await response.text())
    if (!response.ok || !answer.isJson) throw new CallFailed(problemOf(answer), response.status)
    return answer.json as never // the service checks its answers against the reply schema that this type is made from
  }
}

interface Answer {
  readonly isJson: boolean
  readonly json?: unknown
}

/** Whatever stands between may answer too, such as a proxy with a page of its own. */
function readAnswer(text: string): Answer {
  try {
    return { isJson: true, json: text === '' ? undefined : (JSON.parse(text) as unknown) }
  } catch {
    return { isJson: false }
  }
}

function problemOf({ isJson, json }: Answer): Record<string, unknown> {
  if (!isJson) return { code: 'no_json', detail: 'The answer is not JSON: is this the address of the service? For streamed answers use send.' }
  return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {}
}

/** Sends one operation and answers the raw response, for whoever needs its headers or its stream. */
export function send({ baseUrl, apiKey, scheme = 'svc' }: ClientOptions, id: OperationId, input: LooseCall): Promise<Response> {
  const operation: Operation = operations[id]
  const url = new URL(fillPath(operation.path, input.params ?? {}), baseUrl)
  for (const [name, value] of Object.entries(input.query ?? {})) if (value !== undefined) url.searchParams.set(name, String(value))
  return fetch(url, {
    method: operation.method,
    headers: {
      Authorization: `${scheme} ${apiKey}`,
      ...(input.body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...input.headers,
    },
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    ...(input.signal ? { signal: input.signal } : {}),
  })
}

/** The path of an operation with its parameters in place; throws where one is missing, or cannot be part of an address. */
export function fillPath(path: string, params: Readonly<Record<string, unknown>>): string {
  return path.replace(/:([A-Za-z]+)/g, (_, name: string) => {
    const value = String(params[name] ?? '')
    if (value === '') throw new TypeError(`${path} needs a value for ${name}`)
    // A URL would lose such a step, and the call would go to another address.
    if (value === '.' || value === '..') throw new TypeError(`${JSON.stringify(value)} cannot be the ${name} of ${path}`)
    return encodeURIComponent(value)
  })
}
