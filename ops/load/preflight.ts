import { redact } from '../../src/platform/logger.ts'
import { reasonOf } from '../up/startError.ts'
import { OptionsError, type LoadOptions } from './options.ts'
import type { Target } from './target.ts'

/** Asks the service once whether it is there, knows the key and understands the query, before thousands of requests find out. */
export async function checkTarget(target: Target, { url, query }: LoadOptions): Promise<void> {
  const ask = (path: string, body?: unknown): ReturnType<Target['read']> =>
    target.read(path, body).catch((error: unknown) => {
      throw new OptionsError(`${url} does not answer: ${redact(reasonOf(error))}. Start it with \`npm start\`, or name another with --url.`)
    })
  const ready = await ask('/readyz')
  if (ready.status !== 200) throw new OptionsError(`${url} is not ready (${ready.status}): ${detailOf(ready.text)}`)
  const parsed = await ask('/v1/sirp/query/parse', { query: query.replaceAll('{n}', '0') })
  if (parsed.status === 422) throw new OptionsError(`--query cannot be run: ${detailOf(parsed.text)}`)
  if (parsed.status === 401 || parsed.status === 403) {
    const advice = 'Give one with the scopes queries:read and queries:write.'
    throw new OptionsError(`The service refuses the key (${parsed.status}): ${detailOf(parsed.text)} ${advice}`)
  }
  if (parsed.status !== 200) throw new OptionsError(`${url} answered ${parsed.status} to the first request: ${detailOf(parsed.text)}`)
}

function detailOf(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { detail?: unknown } // every problem has one
    if (typeof detail === 'string') return detail
  } catch {
    // Whatever stands between may answer too.
  }
  return 'the answer is no problem of the service; is this its address?'
}
