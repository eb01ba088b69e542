import { describe, expect, it } from 'vitest'
import { Value } from 'typebox/value'
import { pages } from '../../../../src/contract/krull/pages.ts'
import { Problem } from '../../../../src/platform/errors.ts'
import { globMatcher } from '../../../../src/query/browser/globs.ts'
import { tasks } from '../../../../workers/browser/steps/tasks.ts'
import { openBench, problemOf } from '../../../support/browserTasks.ts'
import { cpuMsOf } from '../../../support/cpuMs.ts'

const tries = new Map<string, number>()
const nth = (name: string): number => {
  tries.set(name, (tries.get(name) ?? 0) + 1)
  return tries.get(name) ?? 0
}

const bench = openBench({
  '/flaky': (request, response) => {
    if (nth('flaky') < 3) request.socket.resetAndDestroy()
    else response.writeHead(200, { 'content-type': 'text/html' }).end('<title>at last</title>')
  },
  '/grows': (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(nth('grows') < 2 ? 'not yet' : '<p>here</p>'),
  '/dead': (request) => {
    nth('dead')
    request.socket.resetAndDestroy()
  },
  '/form': '<!doctype html><title>form</title><form><input name=a><button>go</button></form><script>document.cookie = "a=1; max-age=600"</script>',
  '/loop': '<script>setTimeout(() => { for (;;); }, 10)</script>',
  '/leaves': '<script>if (!location.hash) setTimeout(() => { location.hash = "x"; location.reload() }, 1)</script><title>stays</title>',
})

describe('a task', { timeout: 60_000 }, () => {
  it('is tried again as often as asked, each time in a fresh context, and says how often', async () => {
    const draft = { url: `${bench.url}/flaky`, expression: 'document.title', retry: 2 }
    expect((await tasks['page.evaluate'](draft, bench.tools())).answer).toMatchObject({ result: 'at last', attempts: 3 })
    expect((await tasks['page.screenshot']({ url: `${bench.url}/grows`, selector: 'p', retry: 1 }, bench.tools())).answer.attempts).toBe(2)
    expect(await problemOf(tasks['page.evaluate']({ url: `${bench.url}/dead`, expression: '1', retry: 1 }, bench.tools()))).toMatchObject({ code: 'target_failed' })
    expect(await problemOf(tasks['page.evaluate']({ url: `${bench.url}/dead`, expression: '1' }, bench.tools()))).toMatchObject({ code: 'target_failed' })
    expect(tries.get('dead')).toBeGreaterThanOrEqual(3)
  })

  it('is not tried again where that mends nothing', async () => {
    let permits = 0
    const permit = (): Promise<void> => {
      permits += 1
      return Promise.resolve()
    }
    const draft = { url: 'http://10.0.0.1/', expression: '1', retry: 2 }
    expect(await problemOf(tasks['page.evaluate'](draft, bench.tools({ permit })))).toMatchObject({ code: 'target_forbidden' })
    expect(permits).toBe(1)
  })

  it('ends by its deadline, and by the signal of its caller', async () => {
    const draft = { url: `${bench.url}/loop`, expression: '() => new Promise(() => undefined)', retry: 2 }
    expect(await problemOf(tasks['page.evaluate'](draft, bench.tools({ deadlineMs: 1_500 })))).toMatchObject({ code: 'job_timeout' })
    const caller = new AbortController()
    const running = problemOf(tasks['page.evaluate']({ ...draft, url: `${bench.url}/form` }, bench.tools({ signal: caller.signal })))
    caller.abort(new Problem('conflict', 'Cancelled.'))
    expect(await running).toMatchObject({ code: 'conflict' })
  })

  it('takes a page that goes elsewhere by itself', async () => {
    const draft = { url: `${bench.url}/leaves`, expression: 'document.title', wait: 100 }
    expect((await tasks['page.evaluate'](draft, bench.tools())).answer.result).toBe('stays')
  })
})

describe('every task', { timeout: 60_000 }, () => {
  it('answers in the shape that the contract gives its operation', async () => {
    const url = `${bench.url}/form`
    const whole = { url, expression: '1', session: true, screenshot: true, responseText: true, hashtml: true }
    const answers = {
      'krull.expression.evaluate': tasks.evaluate({ expression: '1' }, bench.tools()),
      'krull.page.requests': tasks.requests({ ...whole }, bench.tools()),
      'krull.page.evaluate': tasks['page.evaluate']({ ...whole }, bench.tools()),
      'krull.page.selector': tasks['page.selector']({ ...whole, selector: '*' }, bench.tools()),
      'krull.page.session': tasks['page.session']({ ...whole }, bench.tools()),
      'krull.page.screenshot': tasks['page.screenshot']({ ...whole }, bench.tools()),
      'krull.page.form': tasks['page.form']({ url, selectorValuePairs: [['input', 'x']], submitSelector: 'button' }, bench.tools()),
    } as const
    await Promise.all(Object.entries(answers).map(async ([name, done]) => {
      const { reply } = pages[name as keyof typeof answers] // the keys of the answers
      const { answer } = await done
      expect({ name, faults: Value.Errors(reply.body, JSON.parse(JSON.stringify(answer))) }).toEqual({ name, faults: [] })
    }))
  })
})

describe('globs', () => {
  it('name hosts and paths: one star stops at a slash, two do not', () => {
    const holds = (glob: string, url: string): boolean => globMatcher([glob])(url)
    expect(holds('ads.example', 'https://ads.example/x/y?z')).toBe(true)
    expect(holds('ADS.example', 'https://ads.example/')).toBe(true)
    expect(holds('ads.example', 'https://sub.ads.example/')).toBe(false)
    expect(holds('*.ads.example', 'https://sub.ads.example:8443/')).toBe(true)
    expect(holds('**/*.woff2', 'https://a.example/fonts/x/y.woff2?v=1')).toBe(true)
    expect(holds('/fonts/*.woff2', 'https://a.example/fonts/x/y.woff2')).toBe(false)
    expect(holds('a.example/fonts/**', 'https://a.example/fonts/x/y.woff2')).toBe(true)
    expect(holds('https://a.example/**', 'https://a.example/x')).toBe(true)
    expect(holds('/a.b', 'https://a.example/axb')).toBe(false)
    expect(holds('**', 'data:text/html,x')).toBe(false)
    expect(globMatcher([])('https://a.example/')).toBe(false)
  })

  it('take linear time', async () => {
    const match = globMatcher([`${'*a'.repeat(500)}b`, '**'.repeat(500)])
    expect(await cpuMsOf(() => match(`https://a.example/${'a'.repeat(5_000)}`))).toBeLessThan(3_000)
  })
})
