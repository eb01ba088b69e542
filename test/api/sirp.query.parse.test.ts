import { describe, expect } from 'vitest'
import { credentialTypes } from '../../src/contract/secrets/credentialTypes/index.ts'
import { test } from '../support/api.ts'

describe('sirp.query.parse', () => {
  test('answers the stages with their arguments, flags, kinds and places', async ({ call }) => {
    const plan = await call('sirp.query.parse', { body: { query: 'range 10\n|| limit 3 --labelStage top' }, query: { addFlags: false } })
    expect(plan.stages).toEqual([
      { stage: 0, command: 'range', kind: 'generate', args: [10], flags: {}, position: { line: 1, column: 1, length: 8 }, fusedWith: [1] },
      { stage: 1, label: 'top', command: 'limit', kind: 'map', args: [3], flags: { labelStage: 'top' }, position: { line: 2, column: 4, length: 24 }, fusedWith: [0] },
    ])
  })

  test('fills in the defaults of flags, unless told otherwise', async ({ call }) => {
    const { stages } = await call('sirp.query.parse', { body: { query: 'RANGE 3 || Limit 1' } })
    expect(stages[1]).toMatchObject({ command: 'limit', flags: { offset: 0, cache: true, onError: 'fail' } })
  })

  test('nests the flags that dots nest', async ({ call }) => {
    const { stages } = await call('sirp.query.parse', { body: { query: 'api get https://a.example --credentials.oauth x' }, query: { parseOnly: true, addFlags: false } })
    expect(stages[0]?.flags).toEqual({ credentials: { oauth: 'x' } })
  })

  test('tells the hosts that the text names', async ({ call }) => {
    const { estimate } = await call('sirp.query.parse', { body: { query: 'open https://Shop.example:8080/a --html || api get https://$host$/b' } })
    expect(estimate).toMatchObject({ stages: 2, domains: ['shop.example'] })
  })

  test('estimates the rows, requests, jobs and least time under the policies in force', async ({ call }) => {
    await call('gonogo.policy.create', { body: { name: 'estimated', domain: 'estimated.example', policy: { perSecond: 1, perMinute: 4 } } })
    const query = 'range 3 || api get https://a.estimated.example/$n$ || head 2 || api get https://b.estimated.example'
    const { estimate } = await call('sirp.query.parse', { body: { query } })
    expect(estimate).toEqual({
      stages: 4,
      rows: [{ least: 3, most: 3 }, { least: 0, most: null }, { least: 0, most: 2 }, { least: 0, most: null }],
      requests: { least: 3, most: 5 },
      jobs: { least: 1, most: 5 },
      domains: ['a.estimated.example', 'b.estimated.example'],
      policies: [
        {
          domain: 'estimated.example',
          hosts: ['a.estimated.example', 'b.estimated.example'],
          policy: { perSecond: 1, perMinute: 4 },
          requests: { least: 3, most: 5 },
          ms: 2_000,
        },
      ],
      ms: null,
    })
    const known = await call('sirp.query.parse', { body: { query: 'range 9 || api get https://a.estimated.example' } })
    expect(known.estimate).toMatchObject({ requests: { least: 9, most: 9 }, policies: [{ ms: 120_000 }], ms: 120_000 })
  })

  test('estimates a host without a policy under the default, and one that is blocked as never', async ({ call }) => {
    await call('gonogo.policy.create', { body: { name: 'blocked', domain: 'blocked.example', policy: { perSecond: 0 } } })
    const { estimate } = await call('sirp.query.parse', { body: { query: 'api get https://unknown.example || head 1 || api get https://blocked.example' } })
    expect(estimate.policies).toMatchObject([{ domain: 'unknown.example', ms: 0 }, { domain: 'blocked.example', requests: { least: 0, most: 1 }, ms: 0 }])
    const blocked = await call('sirp.query.parse', { body: { query: 'api get https://blocked.example' } })
    expect(blocked.estimate).toMatchObject({ policies: [{ domain: 'blocked.example', policy: { perSecond: 0 }, ms: null }], ms: null })
  })

  test('bounds the work of an estimate, however many requests there are', async ({ call }) => {
    await call('gonogo.policy.create', { body: { name: 'many', domain: 'many.example', policy: { perSecond: 10 } } })
    const { estimate } = await call('sirp.query.parse', { body: { query: 'range 9000000000000000 || api get https://many.example' } })
    expect(estimate.ms).toBe(Math.floor((9_000_000_000_000_000 - 1) / 10) * 1_000)
  })

  test('leaves the policies out of the estimate where only the text is to be parsed', async ({ call }) => {
    const { estimate } = await call('sirp.query.parse', { body: { query: 'api get https://a.example' }, query: { parseOnly: true } })
    expect(estimate).toEqual({ stages: 1, rows: [{ least: 0, most: null }], requests: { least: 1, most: 1 }, jobs: { least: 1, most: 1 }, domains: ['a.example'] })
  })

  test('answers 422 query_syntax with every fault, its place and a hint', async ({ call }) => {
    const failed = await call('sirp.query.parse', { body: { query: 'rang 3\n|| limit x --ofset 2' } }).catch((error: unknown) => error)
    expect(failed).toMatchObject({
      status: 422,
      code: 'query_syntax',
      problem: {
        line: 1,
        column: 1,
        length: 4,
        hint: 'did you mean range?',
        errors: [
          { path: '/query', message: 'there is no command rang', line: 1, column: 1, length: 4 },
          { path: '/query', line: 2, column: 10, length: 1 },
          { path: '/query', line: 2, column: 12, length: 7, hint: 'did you mean --offset?' },
        ],
      },
    })
  })

  test('refuses a query that names what is not stored, and points at it', async ({ call }) => {
    const query = 'api get https://a.example --credentials.aws4 missng --bearer "$CREDENTIALS.none$"'
    await call('secrets.credential.create', { body: { type: 'aws4', config: { ...credentialTypes.aws4.example, credential: { name: 'missing' } } } })
    const failed = await call('sirp.query.parse', { body: { query } }).catch((error: unknown) => error)
    expect(failed).toMatchObject({
      status: 422,
      code: 'query_syntax',
      problem: { errors: [{ message: 'there is no credential named missng', column: 46, length: 6, hint: 'did you mean missing?' }, { message: 'there is no credential named none' }] },
    })
    await expect(call('sirp.query.parse', { body: { query }, query: { parseOnly: true } })).resolves.toBeDefined()
    await expect(call('sirp.query.parse', { body: { query: 'api get https://a.example --credentials.aws4 missing' } })).resolves.toBeDefined()
  })

  test('refuses a template that is not stored and a stage that is not there', async ({ call }) => {
    await expect(call('sirp.query.parse', { body: { query: 'runTemplate nothing' } })).rejects.toMatchObject({ status: 422 })
    await expect(call('sirp.query.parse', { body: { query: 'range 3 || limit 1 --appendStage later' } })).rejects.toMatchObject({ status: 422 })
  })

  test.for(['', 'x'.repeat(1_048_577)])('refuses a text of a wrong length with a 400', async (query, { call }) => {
    await expect(call('sirp.query.parse', { body: { query } })).rejects.toMatchObject({ status: 400, code: 'validation_failed' })
  })

  test.for(['||', ' ', "'", '```', '/*', 'range 3 ||', '|| range 3', '"range" 3', '--flag'])('answers %j with a 422, whatever is broken', async (query, { call }) => {
    await expect(call('sirp.query.parse', { body: { query } })).rejects.toMatchObject({ status: 422, code: 'query_syntax' })
  })
})
