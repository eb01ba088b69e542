import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import Koa from 'koa'
import { describe, expect, test } from 'vitest'
import { answerProblems } from '../../src/api/problems.ts'
import { answer } from '../../src/api/reply.ts'
import { setSecurityHeaders } from '../../src/api/securityHeaders.ts'
import { tellRequests } from '../../src/api/requestId.ts'
import { Problem } from '../../src/platform/errors.ts'
import { openLogger } from '../../src/platform/logger.ts'
import { Download } from '../../src/services/handler.ts'
import { expectProblem, expectSecurityHeaders } from '../support/problems.ts'

/** Serves one download through the steps that every answer of the API goes through, and reads it. */
async function fetchDownload<Result>(make: () => Download, read: (response: Response) => Promise<Result>): Promise<Result> {
  const app = new Koa()
  app.silent = true
  const log = openLogger('silent', 'test')
  app.use(tellRequests(log)).use(setSecurityHeaders).use(answerProblems(log))
  app.use((ctx) => answer(ctx, { method: 'GET', path: '/', summary: '', scope: 'public', reply: { status: 200 } }, make()))
  const serve = app.callback()
  const server = createServer((request, response) => void serve(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await read(await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`))
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const failing = (error: Error, before: string[] = []) =>
  Readable.from(
    (async function* () {
      yield* before
      await new Promise((later) => setImmediate(later))
      throw error
    })(),
  )

describe('a download', () => {
  test.for([
    ['pieces', () => Readable.from(['one ', 'two ', 'three']), 'one two three'],
    ['nothing', () => Readable.from([]), ''],
    ['bytes', () => Readable.from([Buffer.from('é')]), 'é'],
    ['a megabyte', () => Readable.from(Array.from({ length: 1024 }, () => 'x'.repeat(1024))), 'x'.repeat(1024 * 1024)],
  ] as const)('of %s arrives whole and safe', async ([, make, text]) => {
    await fetchDownload(() => new Download(make(), 'text/csv', { filename: 'täble "1".csv' }), async (response) => {
      expect(response.status).toBe(200)
      expect(await response.text()).toBe(text)
      expectSecurityHeaders((name) => response.headers.get(name))
      expect(response.headers.get('content-type')).toMatch(/^text\/csv/)
      expect(response.headers.get('content-disposition')).toBe(`attachment; filename="t_ble _1_.csv"; filename*=UTF-8''t%C3%A4ble%20%221%22.csv`)
    })
  })

  test('that fails before its first byte is a problem like any other', async () => {
    await fetchDownload(() => new Download(failing(new Problem('unavailable', 'The database is away.')), 'text/csv', { bytes: 5 }), (response) => expectProblem(response, 'unavailable'))
    await fetchDownload(() => new Download(failing(Object.assign(new Error('gone'), { code: 'ECONNRESET' })), 'text/csv'), (response) => expectProblem(response, 'unavailable'))
    await fetchDownload(() => new Download(failing(new Error('surprise')), 'image/png'), async (response) => expect((await expectProblem(response, 'internal')).detail).not.toContain('surprise'))
  })

  test('whose stream was destroyed already is a problem too', async () => {
    const stream = failing(new Error('early'))
    stream.on('error', () => undefined).destroy(new Problem('not_found', 'It is gone.'))
    await fetchDownload(() => new Download(stream, 'text/csv'), (response) => expectProblem(response, 'not_found'))
  })

  test('that fails later is cut off, so that nobody takes a part for the whole', async () => {
    await fetchDownload(() => new Download(failing(new Error('late'), ['first ']), 'text/csv'), async (response) => {
      expect(response.status).toBe(200)
      await expect(response.text()).rejects.toThrow('terminated')
    })
  })

  test('of events begins before there is one', async () => {
    await fetchDownload(() => new Download(new Readable({ read() {} }), 'text/event-stream'), (response) => Promise.resolve(expect(response.status).toBe(200)))
  })
})
