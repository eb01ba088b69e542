import { describe, expect } from 'vitest'
import { rowsOf } from '../../support/dispatched.ts'
import { test, type RunningEngine } from '../../support/engine.ts'

/** Hears every word that processes say to each other about queries. */
async function overhear({ house }: RunningEngine): Promise<{ readonly words: string[] } & AsyncDisposable> {
  const words: string[] = []
  const ear = house.redis.duplicate({ enableOfflineQueue: true })
  ear.on('message', (_channel, word) => void words.push(word))
  await ear.subscribe(`${house.env.redisPrefix}:wakes`)
  return { words, [Symbol.asyncDispose]: () => Promise.resolve(ear.disconnect()) }
}

describe('the word that a query has ended', () => {
  test('brings few rows along to those who wait', async ({ api, call }) => {
    await using heard = await overhear(api)
    expect(await rowsOf(call, 'seed \'{"a": "told along"}\'')).toEqual([{ a: 'told along' }])
    expect(heard.words.filter((word) => word.includes('told along'))).toHaveLength(1)
  })

  test('never brings rows that are secrets', async ({ api, call }) => {
    const [token, template] = ['canary-2b7e151628aed2a6', 'auth --credential teller || limit 5']
    await call('secrets.credential.create', { body: { type: 'okta', config: { credential: { name: 'teller' }, credentials: { okta: { apiToken: token } } } } })
    await call('sirp.template.create', { body: { name: 'telling', description: 'tells', query: template } })
    await using heard = await overhear(api)
    for (const query of [template, 'runTemplate telling || limit 5']) expect(JSON.stringify(await rowsOf(call, query))).toContain(token)
    expect(heard.words.length).toBeGreaterThan(1)
    expect(heard.words.join('\n')).not.toContain(token)
  })
})
