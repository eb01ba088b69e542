import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { credential, openOutside } from '../../support/outside.ts'
import { runEach } from '../../support/runEach.ts'
import { openTarget, type Answering } from '../../support/target.ts'

let answer: Answering = {}
const target = await openTarget(() => answer)
afterAll(() => target[Symbol.asyncDispose]())
beforeEach(() => void target.hits.splice(0))

const bodies = (): unknown[] => target.hits.map(({ body }) => JSON.parse(body.toString()) as unknown)
const ask = (more = '') => runEach(`graphql ${target.url}/graphql '{ items { name } }' ${more}`)

describe('graphql', () => {
  test.for<[string, object, object[]]>([
    ['a list: a row an item', { items: [{ name: 'a', tags: ['x'] }, { name: 'b' }] }, [{ name: 'a', 'tags.0': 'x' }, { name: 'b' }]],
    ['an object: one row', { item: { name: 'a', size: { w: 1 } } }, [{ name: 'a', 'size.w': 1 }]],
    ['several fields: one row', { a: { n: 1 }, b: [2, 3] }, [{ 'a.n': 1, 'b.0': 2, 'b.1': 3 }]],
    ['a connection: as it is', { items: { edges: [{ node: { name: 'a' } }] } }, [{ 'edges.0.node.name': 'a' }]],
    ['a scalar: one row', { count: 3 }, [{ count: 3 }]],
    ['nothing found: one row', { item: null }, [{ item: null }]],
    ['an empty list: no row', { items: [] }, []],
    ['a list of scalars', { names: ['a', 'b'] }, [{ value: 'a' }, { value: 'b' }]],
  ])('makes rows of %s', async ([, data, rows]) => {
    answer = { body: { data } }
    expect((await ask()).rows).toEqual(rows)
  })

  test('keeps the variables of the query, and fills tokens in the values of variables', async () => {
    answer = { body: { data: { item: { name: 'a' } } } }
    const { warnings } = await runEach(`graphql ${target.url} 'query($id: ID) { item(id: $id) { name } }' --variables '{id: "$id$"}'`, { row: { id: 7 } })
    await runEach(`graphql ${target.url} 'query($$id:ID,$$n:Int){item(id:$$id,n:$$n){name}}'`)
    await runEach(`graphql ${target.url} 'query($id:ID,$n:Int){item(id:$id,n:[$n,$n]){$field$}}'`, { row: { field: 'name' } })
    const compact = { query: 'query($id:ID,$n:Int){item(id:$id,n:$n){name}}' }
    const filled = { query: 'query($id:ID,$n:Int){item(id:$id,n:[$n,$n]){name}}' }
    expect(bodies()).toEqual([{ query: 'query($id: ID) { item(id: $id) { name } }', variables: { id: 7 } }, compact, filled])
    expect(warnings).toEqual([])
  })

  test('takes the connection flags', async () => {
    answer = { body: { data: { item: { name: 'a' } } } }
    const outside = openOutside({ credentials: [credential('k', 'custom', { value: 'Key 1' })] })
    const { rows } = await runEach(`graphql ${target.url}/g '{ item { name } }' --credentials.custom k --headers '{"x-a": "1"}' --response`, { outside })
    expect(target.hits[0]?.headers).toMatchObject({ authorization: 'Key 1', 'x-a': '1', 'content-type': 'application/json' })
    expect(rows).toEqual([expect.objectContaining({ name: 'a', '_response.status': 200 })])
  })

  test.for([200, 400])('reports errors in an answer of status %d, with their paths', async (status) => {
    answer = { status, body: { data: { items: [] }, errors: [{ message: 'No such field.', path: ['items', 0, 'nam'] }, { message: 'Not allowed' }] } }
    await expect(ask()).rejects.toMatchObject({ code: 'command_failed', message: 'The GraphQL endpoint answered with errors: No such field (at items.0.nam); Not allowed.' })
  })

  test.for<[string, Answering, string]>([
    ['a status that a later try may mend', { status: 503, body: { errors: [{ message: 'busy' }] } }, 'target_status'],
    ['too many requests', { status: 429, body: { errors: [{ message: 'slow' }] } }, 'target_status'],
    ['an error without a reason', { status: 404, body: {} }, 'target_status'],
    ['a page', { body: '<html>', type: 'text/html' }, 'target_unreadable'],
    ['JSON that is no answer', { body: [1] }, 'target_unreadable'],
  ])('reports %s', async ([, given, code]) => {
    answer = given
    await expect(ask()).rejects.toMatchObject({ code })
  })
})
