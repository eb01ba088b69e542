import { describe, expect, it } from 'vitest'
import { secretsIn } from '../../../../workers/browser/flight/draftSecrets.ts'
import { toHar, type FlightFacts } from '../../../../workers/browser/flight/har.ts'
import { hideParameters, hider } from '../../../../workers/browser/flight/hide.ts'
import { Ring } from '../../../../workers/browser/flight/ring.ts'

const same = (text: string): string => text

const facts = (more: Partial<FlightFacts> = {}): FlightFacts => ({
  browser: 'Chrome/1.2', url: 'http://a.example/', startedAt: 0, requests: [], lines: [], error: { code: 'target_failed', detail: 'It failed.' }, ...more,
})

describe('a ring', () => {
  it('keeps the last things in their order', () => {
    const ring = new Ring<number>(3)
    for (const number of [1, 2]) ring.add(number)
    expect(ring.list()).toEqual([1, 2])
    for (const number of [3, 4, 5]) ring.add(number)
    expect(ring.list()).toEqual([3, 4, 5])
  })
})

describe('a flight', () => {
  it('tells times, addresses and failures of requests', () => {
    const answer = { at: 30, status: 302, statusText: 'Found', headers: { location: '/next', 'content-length': '12' } }
    const requests = [
      { url: 'http://a.example/?q=1', method: 'GET', type: 'document', headers: {}, startedAt: 10, answer, endedAt: 50 },
      { url: 'http://b.example/', method: 'POST', type: 'fetch', headers: {}, startedAt: 60, endedAt: 70, error: 'net::ERR_FAILED' },
      { url: 'http://c.example/', method: 'GET', type: 'image', headers: {}, startedAt: 80 },
    ]
    expect(toHar(facts({ requests }), same).log.entries).toMatchObject([
      { time: 40, timings: { wait: 20, receive: 20 }, request: { queryString: [{ name: 'q', value: '1' }] }, response: { status: 302, redirectURL: '/next', content: { size: 12 } } },
      { time: 10, response: { status: 0 }, _error: 'net::ERR_FAILED' },
      { time: 0, response: { status: 0 } },
    ])
  })

  it('stays within half a mebibyte by leaving out what is oldest', () => {
    const requests = Array.from({ length: 500 }, (_, at) => ({ url: `http://a.example/${at}/${'x'.repeat(3_000)}`, method: 'GET', type: 'fetch', headers: {}, startedAt: at }))
    const lines = Array.from({ length: 100 }, (_, at) => ({ at: new Date(at).toISOString(), level: 'log', text: `${at} ${'é'.repeat(3_000)}` }))
    const { log } = toHar(facts({ requests, lines }), same)
    expect(Buffer.byteLength(JSON.stringify(log))).toBeLessThan(513 * 1_024)
    expect(log.entries.at(-1)?.request.url).toContain('/499/')
    const { _console: kept } = log
    expect(kept).toHaveLength(100)
    expect(Math.max(...kept.map(({ text }) => Buffer.byteLength(text)))).toBeLessThanOrEqual(2_048)
  })
})

describe('secrets', () => {
  it('are found in all that a task is given', () => {
    const draft = {
      headers: { 'Authorization': 'Bearer abcdef', 'x-a': 'one two' },
      cookieStorage: { c: { value: 'cookie' } },
      localStorage: { l: '{"a":["inner"]}', n: 12 },
      selectorValuePairs: [['#p', 'typed']] as const,
      proxy: 'socks5://user:pass@host:1',
    }
    expect(secretsIn(draft)).toEqual(['Bearer abcdef', 'abcdef', 'one two', 'cookie', '{"a":["inner"]}', 'inner', '12', 'typed', 'user', 'pass'])
    expect(secretsIn({ headers: Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`h${at}`, 'v'])) })).toBeNull()
  })

  it('are hidden wherever they stand, also where a text was cut in their midst', () => {
    const long = 'abcdefgh'.repeat(700)
    const hide = hider(['secret', 'a b&c d', long], (text) => text.replace('other', '-'))
    expect(hide('a secret, a%20b%26c%20d, a+b%26c+d, other')).toBe('a ********, ********, ********, -')
    expect(hider(['secret', 'secret-tail'], same)('secret-tail')).toBe('********')
    expect(hide(`kept ${long.slice(0, 3_000)}`)).toBe('kept ********')
    expect(hide('http://me:mine@host/')).toBe('http://***@host/')
  })

  it('are hidden in addresses before those are written anew', () => {
    const url = 'http://a.example/?p=a%20b%20c%20d&token=x'
    const { log } = toHar(facts({ url, requests: [{ url, method: 'GET', type: 'fetch', headers: { referer: url }, startedAt: 0 }] }), hider(['a b c d'], same))
    expect(JSON.stringify(log)).not.toMatch(/a(%20|\+| )b/)
  })

  it('are hidden in addresses by the names of parameters', () => {
    expect(hideParameters('http://a.example/?page=2&apiKey=x&sessionId=y')).toBe('http://a.example/?page=2&apiKey=********&sessionId=********')
    expect(hideParameters('http://a.example/#access_token=x')).toBe('http://a.example/#********')
    for (const text of ['http://a.example/?page=2', 'no address?', '']) expect(hideParameters(text)).toBe(text)
  })
})
