import { Agent, request } from 'undici'
import { operations } from '../../src/contract/index.ts'
import { randomText } from '../../src/platform/ids.ts'
import type { LoadOptions } from './options.ts'
import { readAnswer, readFailure, type Outcome } from './outcome.ts'

/** The service under test. */
export interface Target {
  /** What is called, for the report. */
  readonly operation: string
  /** Sends the request with this number; never throws. */
  send(number: number): Promise<Outcome>
  /** Reads one address below the service; throws where there is no answer. */
  read(path: string, body?: unknown): Promise<{ status: number; text: string }>
  close(): Promise<void>
}

/** Opens connections to the service, never more than may be under way. */
export function openTarget({ url, key, scheme, concurrency, timeoutS, query, wait }: LoadOptions): Target {
  const operation = operations[wait ? 'sirp.query.dispatchWait' : 'sirp.query.dispatch']
  const dispatcher = new Agent({ connections: concurrency, pipelining: 1 })
  const headers = { authorization: `${scheme} ${key}`, 'content-type': 'application/json' }
  const run = randomText(6)
  const ask = async (path: string, method: 'GET' | 'POST', body: unknown) => {
    const signal = AbortSignal.timeout(timeoutS * 1_000)
    const given = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await request(new URL(path, url), { method, headers, dispatcher, signal, ...given })
    const retryAfter = answer.headers['retry-after']
    return { status: answer.statusCode, retryAfter: typeof retryAfter === 'string' ? retryAfter : null, text: await answer.body.text() }
  }
  return {
    operation: `POST ${operation.path}`,
    async send(number) {
      try {
        const { status, retryAfter, text } = await ask(operation.path, 'POST', { query: query.replaceAll('{n}', `${run}-${number}`) })
        return readAnswer(status, retryAfter, text)
      } catch (error) {
        return readFailure(error)
      }
    },
    read: (path, body) => ask(path, body === undefined ? 'GET' : 'POST', body),
    close: () => dispatcher.destroy(),
  }
}
