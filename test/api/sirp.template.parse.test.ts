import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'

const query = 'range $template.count$ || addcolumn label "$template.label$" || limit 3'

describe('sirp.template.parse', () => {
  test.for([{ count: 10, label: 'x' }, { 'template.count': 10, 'template.label': 'x' }, { template: { count: 10, label: 'x' } }, { count: '10', label: null }])(
    'takes values in plain, dotted and nested form: %j',
    async (values, { call }) => {
      const { stages } = await call('sirp.template.parse', { body: { query, values } })
      expect(stages.map(({ command, args }) => [command, ...args])).toEqual([['range', 10], ['addcolumn', 'label', '$template.label$'], ['limit', 3]])
    },
  )

  test('names a value that is missing, with its place', async ({ call }) => {
    await expect(call('sirp.template.parse', { body: { query, values: { count: 1 } } })).rejects.toMatchObject({
      status: 422,
      code: 'query_syntax',
      problem: { errors: [{ message: 'the template needs a value for label', line: 1, column: 44, length: 16 }] },
    })
  })

  test('refuses a value that does not fit where it stands', async ({ call }) => {
    await expect(call('sirp.template.parse', { body: { query, values: { count: 'many', label: 'x' } } })).rejects.toMatchObject({ status: 422, code: 'query_syntax' })
  })

  test.for(['3 || limit 1', '3 --cache false', '$template.label$', '/* x */ 3'])('takes a value as data, never as syntax: %j', async (count, { call }) => {
    await expect(call('sirp.template.parse', { body: { query, values: { count, label: 'x' } } })).rejects.toMatchObject({ status: 422 })
    const { stages } = await call('sirp.template.parse', { body: { query: 'range 3 || addcolumn a $template.a$', values: { a: count } } })
    expect(stages).toHaveLength(2)
  })

  test('reads a stored template by its id or name, and checks the values against its schema', async ({ call }) => {
    const templateSchema = { type: 'object', properties: { count: { type: 'integer', maximum: 5 } }, required: ['count'] }
    const { id } = await call('sirp.template.create', { body: { name: 'counting', description: 'd', query: 'range $template.count$', templateSchema } })
    for (const stored of [id, 'counting']) {
      const { stages } = await call('sirp.template.parse', { body: { query: stored, values: { count: 4 } } })
      expect(stages).toMatchObject([{ command: 'range', args: [4] }])
      await expect(call('sirp.template.parse', { body: { query: stored, values: { count: 6 } } })).rejects.toMatchObject({ status: 422, problem: { errors: [{ path: '/values/count' }] } })
      await expect(call('sirp.template.parse', { body: { query: stored } })).rejects.toMatchObject({ status: 422, problem: { errors: [{ path: '/values/count', message: 'is required' }] } })
    }
  })
})
