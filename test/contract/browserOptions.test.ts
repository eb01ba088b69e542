import { describe, expect, test } from 'vitest'
import { Compile } from 'typebox/compile'
import { pages } from '../../src/contract/krull/pages.ts'
import { repeats } from '../../src/contract/krull/repeats.ts'
import { codeBound, expectBound, inputOf, longest, type Bound } from '../support/bounds.ts'

/** The fields of the browser operations, word for word as the interface lists them; a leading ! marks what it requires. */
const listed = {
  'krull.expression.evaluate': '!expression, jquery, lodash, mathjs, args',
  'krull.page.requests':
    '!url, expression, cookieStorage, sessionStorage, localStorage, responseText, session, jquery, lodash, mathjs, args, retry, device, headers, wait, ready, visible, hidden, polling, proxy',
  'krull.page.evaluate':
    '!url, !expression, screenshot, session, type, quality, cookieStorage, sessionStorage, localStorage, jquery, lodash, mathjs, args, filter, retry, device, headers, wait, ready, visible, hidden, polling, proxy',
  'krull.page.selector':
    '!url, !selector, screenshot, session, type, quality, engine, expression, cookieStorage, sessionStorage, localStorage, jquery, lodash, mathjs, html, hashtml, dimension, args, retry, device, headers, wait, ready, visible, hidden, polling, proxy',
  'krull.page.session':
    '!url, !expression, cookieStorage, sessionStorage, localStorage, jquery, lodash, mathjs, args, retry, device, headers, wait, ready, visible, hidden, polling, proxy',
  'krull.page.screenshot':
    '!url, selector, type, viewportWidth, viewportHeight, quality, background, engine, expression, cookieStorage, sessionStorage, localStorage, session, jquery, lodash, mathjs, args, retry, device, headers, wait, ready, visible, hidden, polling, proxy',
  'krull.page.form': '!url, !selectorValuePairs, !submitSelector, wait, ready, visible, hidden, polling, proxy',
  'krull.screenshot.stream': '!url, selector, viewportWidth, viewportHeight, quality, background, engine, device',
} as const satisfies Record<keyof typeof pages, string>

const pageIds = Object.keys(listed) as ReadonlyArray<keyof typeof listed>

/** A right value for every field. */
const samples: Readonly<Record<string, unknown>> = {
  url: 'https://example.com/',
  expression: '() => 1',
  jquery: true,
  lodash: true,
  mathjs: true,
  args: ['text', 1, { a: 1 }, [1], true, null],
  cookieStorage: { sid: { value: 'x', domain: 'example.com', path: '/', expires: '2030-01-31T12:00:00Z', size: 4, httpOnly: true, secure: true, session: false } },
  sessionStorage: { a: 'b' },
  localStorage: { a: 'b' },
  session: true,
  retry: 1,
  device: 'Desktop',
  headers: { 'Accept-Language': 'en' },
  wait: 100,
  ready: 'idle',
  visible: true,
  hidden: true,
  polling: 'mutation',
  proxy: 'socks5://proxy.example:1080',
  screenshot: true,
  type: 'webp',
  quality: 50,
  engine: 'jquery',
  selector: 'h1',
  viewportWidth: 800,
  viewportHeight: 600,
  background: 'transparent',
  filter: ['ads.example'],
  html: false,
  hashtml: true,
  dimension: false,
  responseText: true,
  selectorValuePairs: [['#user', 'ada']],
  submitSelector: 'button',
}

const fieldsOf = (id: keyof typeof listed) => listed[id].split(', ').map((field) => field.replace('!', ''))
const requiredOf = (id: keyof typeof listed) => listed[id].split(', ').filter((field) => field.startsWith('!')).map((field) => field.slice(1))
const pick = (fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, samples[field]]))

describe('fields of the browser operations', () => {
  test.each(pageIds)('%s knows exactly the fields of the interface', (id) => {
    const input = inputOf(pages[id])
    expect(Object.keys(input.properties).toSorted()).toEqual(fieldsOf(id).toSorted())
    expect([...(input.required ?? [])].toSorted()).toEqual(requiredOf(id).toSorted())
  })

  test.each(pageIds)('%s takes all of its fields at once, and the required ones alone', (id) => {
    const check = Compile(inputOf(pages[id]))
    expect([...check.Errors(pick(fieldsOf(id)))]).toEqual([])
    expect([...check.Errors(pick(requiredOf(id)))]).toEqual([])
  })

  test.each(pageIds)('%s refuses every other field and misses each required one', (id) => {
    const check = Compile(inputOf(pages[id]))
    const own = new Set(fieldsOf(id))
    const others = [...Object.keys(samples).filter((field) => !own.has(field)), 'nonsense']
    for (const field of others) expect(check.Check({ ...pick(requiredOf(id)), [field]: samples[field] ?? 1 }), field).toBe(false)
    for (const field of requiredOf(id)) expect(check.Check(pick(fieldsOf(id).filter((one) => one !== field))), field).toBe(false)
  })

  test.each(pageIds)('%s refuses null for every field', (id) => {
    const check = Compile(inputOf(pages[id]))
    for (const field of fieldsOf(id)) expect(check.Check({ ...pick(requiredOf(id)), [field]: null }), field).toBe(false)
  })

  test('the defaults are those of the interface', () => {
    const off = ['jquery', 'lodash', 'mathjs', 'session', 'visible', 'hidden', 'screenshot', 'hashtml', 'responseText']
    const expected = { ...Object.fromEntries(off.map((field) => [field, false])), polling: 'raf', type: 'jpeg', quality: 100, html: true, dimension: true }
    const found: Record<string, unknown> = {}
    for (const id of pageIds) {
      for (const [field, schema] of Object.entries(inputOf(pages[id]).properties)) {
        const known: object = schema
        if ('default' in known) found[field] = known.default
      }
    }
    expect(found).toEqual(expected)
  })
})

const many = (count: number) => Array.from({ length: count }, () => 'x')
const flag = { right: [true, false], wrong: ['true', 1] }
const storage = { right: [{}, { a: 'b' }], wrong: ['a', [], 1] }

/** Both sides of every limit of the shared browser options. */
const optionBounds: readonly Bound[] = [
  { field: 'url', right: ['http://a', 'https://a/b'], wrong: ['', 'a', 'ftp://a', 'file:///etc/passwd', 'javascript:1', ' https://a', 'HTTPS//a'] },
  { field: 'selector', ...codeBound },
  { field: 'submitSelector', ...codeBound },
  { field: 'args', right: [[], many(100)], wrong: [many(101), 'x', {}] },
  { field: 'filter', right: [[], many(1000)], wrong: [many(1001), [1], 'x'] },
  { field: 'retry', right: [0, 1, 2], wrong: [-1, 3, 0.5, '1'] },
  { field: 'quality', right: [1, 50.5, 100], wrong: [0, 0.9, 100.1, 101, '50'] },
  { field: 'viewportWidth', right: [1, 375.5, 10_000], wrong: [0, 10_001, -1, '800'] },
  { field: 'viewportHeight', right: [1, 375.5, 10_000], wrong: [0, 10_001, -1, '800'] },
  { field: 'wait', right: [0, 500, '#a', '//a', '() => true', ['#a', 5]], wrong: [-1, 0.5, '', true, {}, [true], [['#a']]] },
  { field: 'ready', right: ['idle', 'net2', 'winload', 'domload'], wrong: ['', 'load', 'IDLE', 1] },
  { field: 'polling', right: [1, 500, 'raf', 'mutation'], wrong: [0, -1, 0.5, '', 'often', true] },
  {
    field: 'proxy',
    right: ['http', 'https', 'socks', 'socks4', 'socks5', 'pac', 'pac+https'].map((scheme) => `${scheme}://u:p@proxy.example:8080`),
    wrong: ['', 'proxy.example:8080', 'socks6://a', 'ftp://a', 'file:///a', 'http://'],
  },
  { field: 'type', right: ['png', 'jpeg', 'webp'], wrong: ['jpg', 'gif', '', 1] },
  { field: 'engine', right: ['dom', 'jquery'], wrong: ['xpath', '', 1] },
  { field: 'device', right: ['Desktop'], wrong: ['', 1] },
  { field: 'background', right: ['transparent', '#fff'], wrong: [1] },
  { field: 'headers', right: [{}, { 'X-A': 'b' }], wrong: [{ 'X-A': 'b\r\nX-B: c' }, { 'X A': 'b' }, { 'X-A': 1 }, []] },
  {
    field: 'cookieStorage',
    right: [{}, { a: { value: '' } }, { 'a b': { value: 'x', secure: true } }],
    wrong: [{ a: 'b' }, { a: {} }, { a: { value: 1 } }, { a: { value: 'x', size: 0.5 } }, { a: { value: 'x', colour: 'red' } }, []],
  },
  {
    field: 'selectorValuePairs',
    right: [[['#a', 'b']], [['#a', ''], ['#b', 'c']]],
    wrong: [[], [['#a']], [['#a', 'b', 'c']], [['#a', 1]], [{ '#a': 'b' }], ['#a'], {}],
  },
  ...['sessionStorage', 'localStorage'].map((field) => ({ field, ...storage })),
  ...['jquery', 'lodash', 'mathjs', 'session', 'visible', 'hidden', 'screenshot', 'html', 'hashtml', 'dimension', 'responseText'].map((field) => ({
    field,
    ...flag,
  })),
]

const expressionBound: Bound = { field: 'expression', right: codeBound.right, wrong: [...codeBound.wrong, ['x']] }

const expressionsBound: Bound = {
  field: 'expression',
  right: ['x', longest, ['x'], ['x', longest], many(100)],
  wrong: ['', `${longest}x`, many(101), [''], [`${longest}x`], [1], 1],
}

describe('limits of the browser options', () => {
  const cases = pageIds.flatMap((id) => {
    const known = [...optionBounds, id === 'krull.page.session' ? expressionsBound : expressionBound]
    return fieldsOf(id).map((field) => ({ id, field, bound: known.find((bound) => bound.field === field) }))
  })

  test.each(cases)('$id takes $field up to its limits and nothing beyond', ({ id, field, bound }) => {
    if (!bound) throw new Error(`No limits are written down for ${field}; add them to optionBounds`)
    expectBound(inputOf(pages[id]), pick(requiredOf(id)), bound)
  })
})

describe('repeats', () => {
  test('the six repeats are the browser rows at another address', () => {
    const names = ['expression.evaluate', 'page.requests', 'page.evaluate', 'page.selector', 'page.screenshot', 'page.form'] as const
    expect(Object.keys(repeats)).toEqual(names.map((name) => `browser.${name}`))
    for (const name of names) {
      const { path, ...row } = pages[`krull.${name}`]
      expect(repeats[`browser.${name}`]).toEqual({ ...row, path: path.replace('/v1/krull/', '/v1/browser/'), origin: 'repeat' })
      expect(repeats[`browser.${name}`].body).toBe(row.body)
    }
  })
})
