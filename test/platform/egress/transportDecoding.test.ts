import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EgressGuard } from '../../../src/platform/egress/guard.ts'
import { openTransport } from '../../../src/platform/egress/transport.ts'
import { openTarget, type HttpTarget } from '../../support/httpTarget.ts'

const maxBytes = 100_000
const transport = openTransport(new EgressGuard(['127.0.0.0/8']), { maxBytes })
const words = Buffer.from('words '.repeat(5_000))
const bomb = gzipSync(Buffer.alloc(50_000_000))

const answers: Readonly<Record<string, readonly [coding: string, body: Buffer]>> = {
  '/plain': ['identity', words],
  '/gzip': ['gzip', gzipSync(words)],
  '/GZIP': ['X-GZip', gzipSync(words)],
  '/deflate': ['deflate', deflateSync(words)],
  '/bare': ['deflate', deflateRawSync(words)],
  '/br': ['br', brotliCompressSync(words)],
  '/twice': ['gzip, br', brotliCompressSync(gzipSync(words))],
  '/broken': ['gzip', Buffer.from('not gzip at all')],
  '/brokenBr': ['br', Buffer.from('not brotli at all')],
  '/cut': ['gzip', gzipSync(words).subarray(0, 60)],
  '/unknown': ['zstd', words],
  '/deep': ['gzip, gzip, gzip, gzip', gzipSync(words)],
  '/bomb': ['gzip', bomb],
  '/bombInBomb': ['gzip, gzip', gzipSync(bomb)],
  '/empty': ['gzip', Buffer.alloc(0)],
}

let target: HttpTarget
beforeAll(async () => {
  target = await openTarget((request, response) => {
    const [coding, body] = answers[request.url ?? ''] ?? ['identity', Buffer.alloc(0)]
    response.writeHead(200, { 'content-encoding': coding, 'content-length': body.length }).end(body)
  })
})
afterAll(async () => {
  await transport.close()
  await target.close()
})

const get = (path: string, method = 'GET') => transport.send({ method, url: `${target.origin}${path}` }, { signal: new AbortController().signal })

describe('content encodings', () => {
  test.for(['/plain', '/gzip', '/GZIP', '/deflate', '/bare', '/br', '/twice'])('are undone: %s', async (path) => {
    expect((await (await get(path)).bytes()).equals(words)).toBe(true)
    const parts: Uint8Array[] = []
    for await (const part of (await get(path)).body) parts.push(part)
    expect(Buffer.concat(parts).equals(words)).toBe(true)
  })

  test.for(['/broken', '/brokenBr', '/cut', '/unknown', '/deep'])('that cannot be undone are unreadable: %s', async (path) => {
    await expect((await get(path)).bytes()).rejects.toMatchObject({ code: 'target_unreadable' })
  })

  test.for(['/bomb', '/bombInBomb'])('count decoded against the bound: %s', async (path) => {
    await expect((await get(path)).bytes()).rejects.toMatchObject({ code: 'target_too_large' })
  })

  test('do not matter where there is no body', async () => {
    expect((await (await get('/empty')).bytes()).length).toBe(0)
    expect((await (await get('/gzip', 'HEAD')).bytes()).length).toBe(0)
  })

  test('leave the connection to the next request', async () => {
    const before = target.connections
    for (let at = 0; at < 10; at += 1) await (await get('/gzip')).bytes()
    expect(target.connections - before).toBeLessThanOrEqual(1)
  })

  test('that are given up in the middle end quietly', async () => {
    for await (const part of (await get('/gzip')).body) if (part.length > 0) break
    expect((await (await get('/plain')).bytes()).length).toBe(words.length)
  })
})
