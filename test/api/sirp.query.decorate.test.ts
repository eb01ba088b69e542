import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'

const attribute = { params: { type: 'attribute' } } as const
const multiattribute = { params: { type: 'multiattribute' } } as const

describe('sirp.query.decorate', () => {
  test('says of each piece what it is and where', async ({ call }) => {
    const { pieces, errors } = await call('sirp.query.decorate', { ...attribute, body: { query: 'open https://$host$/ --device Desktop /* ok */ || limit 3' } })
    expect(errors).toEqual([])
    expect(pieces.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'command open', 'argument https://$host$/', 'token $host$', 'flag --device', 'value Desktop', 'comment /* ok */', 'separator ||', 'command limit', 'argument 3',
    ])
    expect(pieces[0]).toMatchObject({ position: { line: 1, column: 1, length: 4 }, documentation: expect.stringContaining('Opens a page') })
  })

  test('never refuses a half-written text: its errors stand beside the pieces', async ({ call }) => {
    const { pieces, errors } = await call('sirp.query.decorate', { ...attribute, body: { query: 'range 3 || limt "2' } })
    expect(errors.map(({ message }) => message)).toEqual(['there is no command limt', 'the quote is not closed'])
    expect(pieces.find(({ text }) => text === 'limt')?.errors).toMatchObject([{ hint: 'did you mean limit?' }])
  })

  test('offers the commands that begin like what is written', async ({ call }) => {
    const { candidates = [] } = await call('sirp.query.decorate', { ...multiattribute, body: { query: 'range 10 || li' } })
    expect(candidates.map(({ text }) => text)).toContain('limit')
    expect(candidates.every(({ text }) => text.toLowerCase().startsWith('li'))).toBe(true)
  })

  test.for(['||', 'range 3||', 'range 3 || '])('offers every command behind %j', async (query, { call }) => {
    const { candidates = [] } = await call('sirp.query.decorate', { ...multiattribute, body: { query } })
    expect(candidates.map(({ text }) => text)).toEqual(expect.arrayContaining(['api', 'limit', 'range']))
  })

  test('offers the flags of the command at the cursor that are not given yet, with their documentation', async ({ call }) => {
    const { candidates = [] } = await call('sirp.query.decorate', { ...multiattribute, body: { query: 'range 3 || limit 1 --offset 2 ' } })
    const words = candidates.map(({ text }) => text)
    expect(words).toContain('--labelStage')
    expect(words).not.toContain('--offset')
    expect(candidates.every(({ documentation }) => documentation)).toBe(true)
  })

  test('offers the words that a value can be', async ({ call }) => {
    const { candidates = [] } = await call('sirp.query.decorate', { ...multiattribute, body: { query: 'open https://a.example --ready i' } })
    expect(candidates.map(({ text }) => text)).toEqual(['idle'])
  })

  test('offers the words of the argument that comes next, and not those that are written already', async ({ call }) => {
    const wordsOf = async (query: string) => (await call('sirp.query.decorate', { ...multiattribute, body: { query } })).candidates?.flatMap(({ kind, text }) => (kind === 'value' ? [text] : []))
    expect(await wordsOf('api ')).toEqual(['get', 'post', 'put', 'patch', 'delete', 'head'])
    expect(await wordsOf('api --response ')).toEqual(['true', 'false'])
    expect(await wordsOf('api get ')).toEqual([])
    expect(await wordsOf('sort n --order ')).toEqual(['ascending', 'descending'])
    expect(await wordsOf('sort n --order descending ')).toEqual([])
  })

  test('takes what stands behind an unknown flag for its value', async ({ call }) => {
    const { pieces, errors } = await call('sirp.query.decorate', { ...attribute, body: { query: 'limit 1 --ofset 2' } })
    expect(pieces.map(({ kind, text }) => `${kind} ${text}`)).toEqual(['command limit', 'argument 1', 'flag --ofset', 'value 2'])
    expect(errors).toMatchObject([{ hint: 'did you mean --offset?', expected: expect.stringContaining('--offset') as string }])
  })

  test('takes the cursor in characters', async ({ call }) => {
    const { candidates = [] } = await call('sirp.query.decorate', { ...multiattribute, body: { query: 'ran || limit 1' }, query: { cursor: 3 } })
    expect(candidates.map(({ text }) => text)).toEqual(['range'])
  })

  test('offers every command for a text that is empty as yet', async ({ call }) => {
    const { pieces, candidates = [] } = await call('sirp.query.decorate', { ...multiattribute, body: { query: '' } })
    expect(pieces).toEqual([])
    expect(candidates.map(({ text }) => text)).toEqual(expect.arrayContaining(['api', 'open', 'range']))
  })

  test('refuses another kind of decoration with a 400', async ({ call }) => {
    await expect(call('sirp.query.decorate', { params: { type: 'other' as 'attribute' }, body: { query: 'range 3' } })).rejects.toMatchObject({ status: 400 })
  })
})
