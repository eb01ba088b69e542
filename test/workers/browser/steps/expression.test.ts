import { describe, expect, it } from 'vitest'
import { tasks } from '../../../../workers/browser/steps/tasks.ts'
import { openBench, problemOf } from '../../../support/browserTasks.ts'

const strict = "default-src 'none'; script-src 'none'"

const bench = openBench({
  '/': '<!doctype html><title>one</title><script>window.state = { count: 3 }; window.$ = "mine"</script><a href=/x>a</a><a>b</a>',
  '/strict': (_request, response) => response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': strict }).end('<p>a</p><p>b</p>'),
  '/hostile': '<script>JSON.stringify = () => "x"; Promise = Object.keys = Object.entries = null; Array.prototype.map = null</script><p>a</p>',
})

/** The value of an expression without a page. */
const value = async (expression: string, more: object = {}): Promise<unknown> => (await tasks.evaluate({ expression, ...more }, bench.tools())).answer.result
const inPage = async (path: string, expression: string, more: object = {}): Promise<unknown> =>
  (await tasks['page.evaluate']({ url: `${bench.url}${path}`, expression, ...more }, bench.tools())).answer.result
const failing = (expression: string) => problemOf(tasks.evaluate({ expression }, bench.tools()))

describe('an expression without a page', { timeout: 60_000 }, () => {
  it('is a value, a function that is called, a promise, or statements', async () => {
    await expect(value('1 + 1')).resolves.toBe(2)
    await expect(value('(a, b) => a + b', { args: [1, 2] })).resolves.toBe(3)
    await expect(value('async ({ a }) => a', { args: [{ a: [1, null, 'x'] }] })).resolves.toEqual([1, null, 'x'])
    await expect(value('await Promise.resolve(7)')).resolves.toBe(7)
    await expect(value('const a = 2; const b = 3; a * b')).resolves.toBe(6)
    await expect(value('{ a: 1 } // an object')).resolves.toEqual({ a: 1 })
    await expect(value('() => new Promise((done) => setTimeout(done, 20, "late"))')).resolves.toBe('late')
  })

  it('gives a value as JSON has it', async () => {
    const odd = '({ date: new Date(0), nan: NaN, none: undefined, call: () => 1, big: 2n, list: [undefined, () => 1], set: new Set([1]), bytes: new Uint8Array([1, 2]) })'
    await expect(value(odd)).resolves.toEqual({ date: '1970-01-01T00:00:00.000Z', nan: null, big: '2', list: [null, null], set: {}, bytes: [1, 2] })
    await expect(value('() => undefined')).resolves.toBeNull()
    await expect(value('JSON.parse(\'{"__proto__": {"a": 1}}\')')).resolves.toEqual(JSON.parse('{"__proto__": {"a": 1}}'))
  })

  it('receives the libraries that it asks for as its last argument', async () => {
    await expect(value('(n, { _ }) => _.chunk([1, 2, 3], n)', { args: [2], lodash: true })).resolves.toEqual([[1, 2], [3]])
    await expect(value('({ mathjs }) => mathjs.evaluate("sqrt(16) + 2")', { mathjs: true })).resolves.toBe(6)
    const all = '(libraries) => [Object.keys(libraries), libraries.$("<p>x</p>").text(), typeof window.$, typeof window._, typeof window.math]'
    await expect(value(all, { jquery: true, lodash: true, mathjs: true })).resolves.toEqual([['$', '_', 'mathjs'], 'x', 'undefined', 'undefined', 'undefined'])
    await expect(value('(...all) => all.length', { args: [1] })).resolves.toBe(1)
  })

  it('has no network', async () => {
    await expect(value(`() => fetch('${bench.url}/').then(() => 'came', () => 'refused')`)).resolves.toBe('refused')
  })

  it('fails with its own message and its own lines of the stack', async () => {
    const { code, message, options } = await failing('() => {\n  null.x\n}')
    expect({ code, message }).toEqual({ code: 'expression_failed', message: "The expression failed: TypeError: Cannot read properties of null (reading 'x')" })
    expect(options.extra).toEqual({
      message: "TypeError: Cannot read properties of null (reading 'x')",
      stack: "TypeError: Cannot read properties of null (reading 'x')\n    at expression:2:8",
    })
    expect((await failing('() => { throw "plain" }')).message).toBe('The expression failed: plain')
    expect((await failing('Promise.reject(new Error("later"))')).message).toBe('The expression failed: Error: later')
    expect((await failing('1 +')).message).toContain('SyntaxError')
    expect((await failing('let a = 1; missing.x')).options.extra).toMatchObject({ stack: expect.stringContaining('at expression:1:12') as string })
  })

  it('fails when its value is too large or too deep, and the next one works', async () => {
    expect((await failing('"x".repeat(9 * 2 ** 20)')).message).toContain('larger than 8388608 bytes')
    expect((await failing('"x".repeat(500_000_000)')).message).toContain('larger than 8388608 bytes')
    expect((await failing('"é".repeat(5 * 2 ** 20)')).message).toContain('larger than 8388608 bytes')
    expect((await failing('new Array(1e9)')).message).toContain('larger than 8388608 bytes')
    expect((await failing('(() => { const a = {}; a.a = a; return a })()')).message).toContain('deeper than 64 levels')
    const nested = (levels: number): string => `(() => { let a = []; for (let i = 1; i < ${levels}; i++) a = [a]; return a })()`
    expect((await failing(nested(65))).message).toContain('deeper than 64 levels')
    expect(JSON.stringify(await value(nested(64)))).toHaveLength(128)
    expect(await value('"x".repeat(8_000_000)')).toHaveLength(8_000_000)
  })
})

describe('an expression in a page', { timeout: 60_000 }, () => {
  it('sees what scripts of the page see, and leaves no library behind', async () => {
    await expect(inPage('/', '() => [document.title, state.count, $]')).resolves.toEqual(['one', 3, 'mine'])
    await expect(inPage('/', '(n, { $ }) => [$("a").length + n, window.$, typeof jQuery]', { args: [10], jquery: true })).resolves.toEqual([12, 'mine', 'undefined'])
  })

  it('runs with its libraries under a strict content security policy', async () => {
    const expression = '({ $, _, mathjs }) => [$("p").length, _.last([1, 2]), mathjs.evaluate("1 + 2")]'
    await expect(inPage('/strict', expression, { jquery: true, lodash: true, mathjs: true })).resolves.toEqual([2, 2, 3])
    await expect(inPage('/strict', 'const a = 1; a + 1')).resolves.toBe(2)
  })

  it('gives its value in a page that has put its own functions in the place of others', async () => {
    await expect(inPage('/hostile', '() => ({ text: document.querySelector("p").textContent, list: [1, { a: 2 }] })')).resolves.toEqual({ text: 'a', list: [1, { a: 2 }] })
  })

  it('answers with the page, and with cookies, storages and a picture where asked', async () => {
    const { answer, picture } = await tasks['page.evaluate'](
      { url: `${bench.url}/`, expression: 'localStorage.setItem("a", "1")', session: true, screenshot: true, type: 'png', device: 'Desktop' },
      bench.tools(),
    )
    const page = { url: `${bench.url}/`, status: 200, title: 'one' }
    expect(answer).toMatchObject({ result: null, attempts: 1, localStorage: { a: '1' }, sessionStorage: {}, cookieStorage: {}, page })
    const { hash = '', bytes } = picture ?? {}
    expect(answer.screenshot).toEqual({ hash, type: 'png', width: 1280, height: 800, bytes: bytes?.length, url: `/v1/screenshot/${hash}` })
  })
})
