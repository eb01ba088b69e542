import { describe, expect } from 'vitest'
import { endless } from '../support/dispatched.ts'
import { test } from '../support/engine.ts'
import { expectProblem } from '../support/problems.ts'
import { openTarget } from '../support/target.ts'
import { createTemplate } from '../support/templates.ts'

const numbers = [{ content: { n: 0 } }, { content: { n: 1 } }]

describe('sirp.template.dispatchWait', () => {
  test('runs a stored template by its name or id, and text that is given', async ({ api, call }) => {
    const { id: templateId, name } = await createTemplate(api, 'counting')
    for (const query of [name, templateId]) {
      const waited = await call('sirp.template.dispatchWait', { body: { query, values: { count: 2 } } })
      expect(waited).toMatchObject({ status: 'completed', total: 2, results: numbers })
      expect(await call('sirp.query.read', { params: { id: waited.id } })).toMatchObject({ templateId })
    }
    const given = await call('sirp.template.dispatchWait', { body: { query: 'range $template.count$', values: { count: 2 } } })
    expect(given.results).toEqual(numbers)
    expect(await call('sirp.query.read', { params: { id: given.id } })).not.toHaveProperty('templateId')
  })

  test.for([{ count: 2 }, { 'template.count': 2 }, { template: { count: 2 } }])('fills the values %j', async (values, { call }) => {
    expect((await call('sirp.template.dispatchWait', { body: { query: 'range $template.count$', values } })).results).toEqual(numbers)
  })

  test.for([
    { page: { sizes: [1, 2] } }, { template: { page: { sizes: [1, 2] } } }, { 'page.sizes.1': 2 }, { page: { 'sizes.1': 2 } }, { 'template.page': { sizes: { 1: 2 } } },
  ])('fills what lies at the dots of a name from %j', async (values, { call }) => {
    expect((await call('sirp.template.dispatchWait', { body: { query: 'range $template.page.sizes.1$', values } })).results).toEqual(numbers)
  })

  test.for(['sizes.2', 'sizes.length', 'sizes.constructor', 'constructor', 'sizes.0.x'])('finds no value for %s in a list of two', async (name, { api, sendAs }) => {
    const body = { query: `addcolumn a $template.${name}$`, values: { sizes: [1, 2] } }
    const problem = await expectProblem(await sendAs(api.adminKey, 'sirp.template.dispatchWait', { body }), 'query_syntax')
    expect(problem).toMatchObject({ detail: expect.stringContaining(`a value for ${name}`) as string })
  })

  test.for([
    ['seed \'[{a: 1, g: "x"}, {a: 2, g: "x"}]\' || stats sum($template.c$) as $template.name$ by $template.g$', { c: 'a', name: 'by', g: 'g' }, [{ g: 'x', by: 3 }]],
    ['addcolumn at 2024-03-01T12:00:00 || parseTimestamp at --zone $template.z$ || table _timestamp.iso', { z: 'Europe/Berlin' }, [{ '_timestamp.iso': '2024-03-01T11:00:00.000Z' }]],
    ["addcolumn h '<a>x</a><b>y</b>' || html h --selector '$template.s$' || table _html.innerText", { s: "b:not([id$='x'], [id$='y'])" }, [{ '_html.innerText': 'y' }]],
    ["addcolumn h 'a12' || extract h '^(?<l>[a-z])$template.p$$' || table l n", { p: '(?<n>[0-9]+)' }, [{ l: 'a', n: '12' }]],
    ['seed $template.rows$', { rows: [{ a: { b: 1 } }, { a: '$x$' }] }, [{ 'a.b': 1 }, { a: '$x$' }]],
    ['seed "$template.rows$"', { rows: 'no [list]' }, [{ value: 'no [list]' }]],
  ] as const)('fills the values of %j', async ([query, values, rows], { call }) => {
    expect((await call('sirp.template.dispatchWait', { body: { query, values } })).results).toEqual(rows.map((content) => ({ content })))
  })

  test('takes no value for a word of the language', async ({ api, sendAs }) => {
    const body = { query: 'range 1 || stats count $template.word$ n', values: { word: 'by' } }
    const problem = await expectProblem(await sendAs(api.adminKey, 'sirp.template.dispatchWait', { body }), 'query_syntax')
    expect(problem).toMatchObject({ detail: expect.stringContaining('there is no aggregate by') as string })
  })

  test('takes values as data, whatever they hold', async ({ call }) => {
    const value = '1 || freeze x "\' $n$ $$ --cache'
    expect((await call('sirp.template.dispatchWait', { body: { query: 'addcolumn a $template.v$', values: { v: value } } })).results).toEqual([{ content: { a: value } }])
    expect((await call('sirp.template.dispatchWait', { body: { query: 'addcolumn a x || filter "a != \'$template.v$\'"', values: { v: value } } })).total).toBe(1)
  })

  test('fills the pattern and the replacement of replace --regex', async ({ call }) => {
    const query = 'addcolumn t ab || replace t "^$template.p$" "<$template.w$>" --regex'
    expect((await call('sirp.template.dispatchWait', { body: { query, values: { p: '[a-z]', w: '$1' } } })).results).toEqual([{ content: { t: '<$1>b' } }])
  })

  test('refuses values that are no pattern, selector or zone', async ({ call }) => {
    for (const query of ['extract n $template.v$', 'html n --selector $template.v$', 'parseTimestamp n --zone $template.v$']) {
      await expect(call('sirp.template.dispatchWait', { body: { query: `range 1 || ${query}`, values: { v: '([' } } }), query).rejects.toMatchObject({ status: 422, code: 'query_syntax' })
    }
    const replaced = await call('sirp.template.dispatchWait', { body: { query: 'addcolumn a x || replace a $template.v$ y --regex', values: { v: '([' } } })
    expect(replaced).toMatchObject({ status: 'failed', error: { code: 'unprocessable', stage: 1, detail: expect.stringContaining('is not a regular expression') as string } })
  })

  test('fills names of stages and of stored things, which are checked with their values', async ({ api, call, sendAs }) => {
    const query = 'range 1 --labelStage "$template.label$" || append "$template.label$"'
    expect((await call('sirp.template.dispatchWait', { body: { query, values: { label: 'numbers' } } })).total).toBe(2)
    await call('secrets.credential.create', { body: { type: 'custom', config: { credential: { name: 'named' }, credentials: { custom: { value: 'some value' } } } } })
    await using target = await openTarget(({ headers }) => ({ body: { right: headers.authorization === 'some value' } }))
    const ask = `api get ${target.url} --credentials.custom $template.credential$`
    expect((await call('sirp.template.dispatchWait', { body: { query: ask, values: { credential: 'named' } } })).results).toEqual([{ content: { right: true } }])
    const missing = await sendAs(api.adminKey, 'sirp.template.dispatchWait', { body: { query: ask, values: { credential: 'nmed' } } })
    expect(await expectProblem(missing, 'query_syntax')).toMatchObject({ detail: expect.stringContaining('there is no credential named nmed') as string })
  })

  test('answers 422 that names a missing value, and starts nothing', async ({ api, sendAs }) => {
    const before = await api.house.db.query.count()
    const problem = await expectProblem(await sendAs(api.adminKey, 'sirp.template.dispatchWait', { body: { query: 'range $template.count$' } }), 'query_syntax')
    expect(JSON.stringify(problem)).toContain('count')
    expect(await api.house.db.query.count()).toBe(before)
  })

  test('answers 422 for values that its schema does not allow', async ({ api, sendAs }) => {
    await createTemplate(api, 'typed', { templateSchema: { properties: { count: { type: 'integer' } } } })
    const problem = await expectProblem(await sendAs(api.adminKey, 'sirp.template.dispatchWait', { body: { query: 'typed', values: { count: 'x' } } }), 'unprocessable')
    expect(problem).toMatchObject({ errors: [expect.objectContaining({ path: '/values/count' })] })
  })

  test('answers 504 with the id when the wait runs out', async ({ api, call, sendAs }) => {
    const response = await sendAs(api.adminKey, 'sirp.template.dispatchWait', { body: { query: endless }, headers: { Prefer: 'wait=1' } })
    const { id } = (await expectProblem(response, 'wait_timeout')) as unknown as { id: string }
    await call('sirp.query.cancel', { params: { id } })
  })

  test('starts one query for equal requests with one Idempotency-Key, and leaves one entry in the audit log', async ({ api, sendAs }) => {
    const body = { query: 'range $template.count$ || addcolumn mark once', values: { count: 1 } }
    const answers = await Promise.all(Array.from({ length: 10 }, () => sendAs(api.adminKey, 'sirp.template.dispatchWait', { body, headers: { 'Idempotency-Key': 'template' } })))
    const [first] = (await Promise.all(answers.map((answer) => answer.json()))) as { id: string }[]
    expect(await api.house.db.query.count({ where: { query: body.query } })).toBe(1)
    expect(await api.house.db.auditEntry.findMany({ where: { target: first?.id ?? '' }, select: { operation: true } })).toEqual([{ operation: 'sirp.template.dispatchWait' }])
  })
})
