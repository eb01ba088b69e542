import { Problem } from '../../platform/errors.ts'
import type { Incoming } from '../outside.ts'
import { placeOf } from './answer.ts'

const maxTold = 5

/** Whether the `errors` of an answer say more than its error status; not where a later try may mend it. */
export function isExplained({ status, headers }: Incoming): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429 && /^[^;]*json/i.test(headers['content-type'] ?? '')
}

/** What rows are made of: the one field of `data`, or all of `data` where there are several. */
export function dataOf(answer: unknown, incoming: Incoming): unknown {
  const { data, errors } = isObject(answer) ? answer : {}
  if (Array.isArray(errors) && errors.length > 0) throw refusal(errors)
  if (incoming.status >= 400 && data === undefined) {
    throw new Problem('target_status', `The target answered ${incoming.status} at ${placeOf(incoming.url)}, without saying why.`)
  }
  if (!isObject(data)) {
    throw new Problem(
      'target_unreadable',
      `The answer of ${placeOf(incoming.url)} has no data; see that this is the address of a GraphQL endpoint.`,
    )
  }
  const [field, ...more] = Object.values(data)
  return more.length === 0 && typeof field === 'object' && field !== null ? field : data
}

function refusal(errors: readonly unknown[]): Problem {
  const told = errors.slice(0, maxTold).map(tell).join('; ')
  const rest = errors.length > maxTold ? ` (and ${errors.length - maxTold} more)` : ''
  return new Problem('command_failed', `The GraphQL endpoint answered with errors: ${told}${rest}.`)
}

function tell(error: unknown): string {
  const { message, path } = isObject(error) ? error : {}
  const text = typeof message === 'string' ? message.slice(0, 500).replace(/\.$/, '') : 'an error without a message'
  return Array.isArray(path) && path.length > 0 ? `${text} (at ${path.join('.').slice(0, 200)})` : text
}

type Fields = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)
