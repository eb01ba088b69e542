import { describe, expect } from 'vitest'
import { test, unknownId } from '../support/api.ts'
import { keepQuery } from '../support/keptQueries.ts'

const id = 'sirp.query.read'

describe(id, () => {
  test('answers a query that has just been stored', async ({ api, call }) => {
    const queryId = await keepQuery(api.house, { createdAt: new Date('2031-01-01T00:00:00.123Z') })
    const self = `/v1/sirp/query/${queryId}`
    expect(await call(id, { params: { id: queryId } })).toEqual({
      id: queryId,
      createdAt: '2031-01-01T00:00:00.123Z',
      updatedAt: expect.stringMatching(/Z$/) as string,
      query: 'range 3',
      status: 'queued',
      mode: 'comprehensive',
      metadata: {},
      cleanup: false,
      summary: false,
      minutes: 60,
      ttl: 86_400,
      startedAt: null,
      finishedAt: null,
      expiresAt: null,
      stages: { total: 1, completed: 0 },
      rows: 0,
      links: { self, status: `${self}/status`, results: `${self}/results`, stages: `${self}/stages`, events: `${self}/events` },
    })
  })

  test('answers what became of it, and the metadata untouched', async ({ api, call }) => {
    const [startedAt, finishedAt, expiresAt] = [1, 2, 3].map((day) => new Date(Date.UTC(2031, 0, day)))
    const error = { code: 'target_failed', detail: 'It is away.', stage: 1 }
    const metadata = { who: 'me', nested: { a: [1, null, '1.0'] }, big: 12_345_678_901 }
    const times = { startedAt: startedAt ?? null, finishedAt: finishedAt ?? null, expiresAt: expiresAt ?? null }
    const given = { status: 'failed', metadata, error, rows: 12_000_000_000, scheduleId: 'nightly', templateId: unknownId, stagesTotal: 3, stagesCompleted: 1, ...times }
    const queryId = await keepQuery(api.house, { ...given, waiting: { domain: 'a.example', since: '2031-01-01T00:00:00.000Z' } })
    const record = await call(id, { params: { id: queryId } })
    expect(record).toMatchObject({
      status: 'failed', metadata, error, rows: 12_000_000_000, scheduleId: 'nightly', templateId: unknownId, stages: { total: 3, completed: 1 },
      startedAt: '2031-01-01T00:00:00.000Z', finishedAt: '2031-01-02T00:00:00.000Z', expiresAt: '2031-01-03T00:00:00.000Z',
    })
    expect(record).not.toHaveProperty('waiting')
  })

  test('says what holds a running query back', async ({ api, call }) => {
    const waiting = { domain: 'a.example', since: '2031-01-01T00:00:00.000Z', position: 4, nextAt: '2031-01-01T00:00:01.000Z' }
    const queryId = await keepQuery(api.house, { status: 'running', waiting })
    expect(await call(id, { params: { id: queryId } })).toMatchObject({ status: 'running', waiting })
  })

  test('answers not_found for an id that nothing has', async ({ call }) => {
    await expect(call(id, { params: { id: unknownId } })).rejects.toMatchObject({ status: 404, code: 'not_found' })
    await expect(call(id, { params: { id: 'x' } })).rejects.toMatchObject({ status: 400 })
  })
})
