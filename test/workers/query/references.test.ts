import { describe, expect } from 'vitest'
import { rowsOf, runToEnd } from '../../support/dispatched.ts'
import { test } from '../../support/engine.ts'
import { openTarget } from '../../support/target.ts'

describe('stages that read other stages', () => {
  test('find them by label across segments', async ({ call }) => {
    await using target = await openTarget(({ url }) => ({ body: { n: Number(url.slice(1)), name: `page ${url.slice(1)}` } }))
    const pages = `range 3 --labelStage numbers || api get ${target.url}/$n$ --labelStage pages || filter "n > 0"`
    expect(await rowsOf(call, `${pages} || range 3 || join pages n`)).toEqual([0, 1, 2].map((n) => ({ n, name: `page ${n}` })))
    expect(await rowsOf(call, `${pages} || join numbers n --type anti`)).toEqual([])
    expect(await rowsOf(call, `${pages} || append numbers || count`)).toEqual([{ count: 5 }])
    expect(await rowsOf(call, `${pages} || append 0 || count`)).toEqual([{ count: 5 }])
  })

  test('append rows behind their own, in a pass and behind jobs', async ({ call }) => {
    await using target = await openTarget(({ url }) => ({ body: { url } }))
    expect(await rowsOf(call, 'range 2 --labelStage a || math n "n + 10" --appendStage a')).toEqual([{ n: 10 }, { n: 11 }, { n: 0 }, { n: 1 }])
    expect(await rowsOf(call, 'range 2 || math n "n + 10" --appendStage true')).toEqual([{ n: 10 }, { n: 11 }, { n: 0 }, { n: 1 }])
    expect(await rowsOf(call, 'range 2 || math n "n + 10" || head 1 --appendStage 0')).toEqual([{ n: 10 }, { n: 0 }, { n: 1 }])
    expect(await rowsOf(call, `range 2 || api get ${target.url}/$n$ --appendStage true`)).toEqual([{ url: '/0' }, { url: '/1' }, { n: 0 }, { n: 1 }])
    expect(await rowsOf(call, `range 2 --labelStage a || filter "n > 5" || api get ${target.url}/$n$ --appendStage a`)).toEqual([{ n: 0 }, { n: 1 }])
  })

  test('keep columns of appended rows too, and give them ids, in a pass and behind jobs', async ({ call }) => {
    await using target = await openTarget(({ url }) => ({ body: { n: `page ${url}`, x: 2 } }))
    const flags = '--appendStage 1 --table n --guid'
    const marked = (...values: unknown[]) => values.map((n) => ({ n, _guid: expect.any(String) as string }))
    expect(await rowsOf(call, `range 2 || addcolumn x 1 || math n "n + 10" ${flags}`)).toEqual(marked(10, 11, 0, 1))
    expect(await rowsOf(call, `range 2 || addcolumn x 1 || api get ${target.url}/$n$ ${flags}`)).toEqual(marked('page /0', 'page /1', 0, 1))
    expect(await rowsOf(call, `range 2 || addcolumn x 1 || filter "n > 5" || api get ${target.url}/$n$ ${flags} --checkpoint "appended:n"`)).toEqual(marked(0, 1))
    expect(await call('secrets.checkpoint.read', { params: { name: 'appended' } })).toMatchObject({ checkpoint: '0' })
  })

  test('read all rows of a stage of which the stage behind it wanted only some', async ({ call }) => {
    await using target = await openTarget(() => ({ body: { n: 1 } }))
    const cut = 'range 5000 --labelStage a || math m "n * 2" --labelStage b || head 1'
    expect(await rowsOf(call, `${cut} || api get ${target.url} || append a || append b || count`)).toEqual([{ count: 10_001 }])
    expect(await rowsOf(call, `${cut} || api get ${target.url} --appendStage b || count`, { cleanup: true })).toEqual([{ count: 5001 }])
    expect(await rowsOf(call, `${cut} || append a || range 4998 5000 || join b n`)).toEqual([{ n: 4998, m: 9996 }, { n: 4999, m: 9998 }])
  })

  test('read them also where only the last rows are kept', async ({ call }) => {
    const query = 'range 3 --labelStage a || freeze kept.ndjson || filter "n > 1" || append a'
    const ended = await runToEnd(call, query, { cleanup: true })
    expect(ended.rows).toEqual([{ n: 2 }, { n: 0 }, { n: 1 }, { n: 2 }])
    const { id } = await call('sirp.query.dispatch', { body: { query, mode: 'turbo' }, headers: { Prefer: 'wait=10' } })
    expect((await call('sirp.query.results', { params: { id } })).total).toBe(4)
    for (const stage of ['0', '1', '2']) await expect(call('sirp.stage.results', { params: { id, stage } })).rejects.toMatchObject({ status: 404 })
  })
})
