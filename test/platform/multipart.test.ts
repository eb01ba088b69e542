import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { finished } from 'node:stream/promises'
import { describe, expect, test as base } from 'vitest'
import { pause } from '../../src/platform/clock.ts'
import { Problem } from '../../src/platform/errors.ts'
import { readParts, type FilePart } from '../../src/platform/multipart.ts'

const limits = { maxBytes: 1_000, idleMs: 5_000 }

type OnFile = (file: FilePart, hangUp: () => void) => Promise<void>

/** What became of one body. */
interface Outcome {
  readonly fields?: Record<string, string>
  readonly files: string[]
  readonly code?: string
  readonly detail?: string
}

interface Sending {
  readonly onFile?: OnFile
  readonly limits?: { maxBytes: number; idleMs: number; deadlineMs?: number }
  readonly boundary?: string
  /** Bytes a write. */
  readonly slice?: number
  /** Leaves the request open after the body. */
  readonly open?: boolean
}

/** Sends a body over a real socket and answers what `readParts` made of it. */
const test = base.extend<{ send: (body: string | Buffer, sending?: Sending) => Promise<Outcome> }>({
  // oxlint-disable-next-line no-empty-pattern -- Vitest reads the needed fixtures from this pattern
  send: async ({}, use) => {
    const closers: Array<() => void> = []
    await use((body, sending = {}) => sendBody(Buffer.from(body), sending, closers))
    for (const close of closers) close()
  },
})

function sendBody(body: Buffer, sending: Sending, closers: Array<() => void>): Promise<Outcome> {
  return new Promise((resolve) => {
    let hangUp = (): void => undefined
    const server = createServer((request, response) => void outcomeOf(request, sending, () => hangUp()).then((outcome) => (response.end(), resolve(outcome))))
    server.listen(0, '127.0.0.1', () => {
      const client = httpRequest({
        port: (server.address() as AddressInfo).port,
        method: 'POST',
        headers: { 'Content-Type': `multipart/form-data; boundary=${sending.boundary ?? 'b'}`, 'Transfer-Encoding': 'chunked' },
      })
      client.on('error', () => undefined)
      hangUp = () => void client.destroy()
      closers.push(() => (client.destroy(), server.closeAllConnections(), server.close()))
      const slice = sending.slice ?? (body.length || 1)
      for (let at = 0; at < body.length; at += slice) client.write(body.subarray(at, at + slice))
      if (sending.open) client.flushHeaders()
      else client.end()
    })
  })
}

async function outcomeOf(request: IncomingMessage, sending: Sending, hangUp: () => void): Promise<Outcome> {
  const files: string[] = []
  const readAll: OnFile = async ({ field, filename, contentType, stream }) => {
    const parts: Buffer[] = []
    for await (const part of stream) parts.push(part as Buffer)
    files.push(`${field}|${filename}|${contentType}|${Buffer.concat(parts).toString()}`)
  }
  try {
    return { fields: Object.fromEntries(await readParts(request, sending.limits ?? limits, (file) => (sending.onFile ?? readAll)(file, hangUp))), files }
  } catch (error) {
    return { files, code: error instanceof Problem ? error.code : 'surprise', detail: (error as Error).message }
  }
}

const field = (name: string, value: string): string => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const file = (name: string, value: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"; filename="f.txt"\r\nContent-Type: text/plain\r\n\r\n${value}\r\n`
const end = '--b--\r\n'

describe('readParts', () => {
  test('answers fields and hands on the file, in any order and however the bytes are sliced', async ({ send }) => {
    for (const body of [field('name', 'ü') + file('content', 'x\r\n--c\r\n') + end, file('content', 'x\r\n--c\r\n') + field('name', 'ü') + end]) {
      for (const slice of [1, 2, 3, 7, 1_000]) {
        expect(await send(body, { slice })).toEqual({ fields: { name: 'ü' }, files: ['content|f.txt|text/plain|x\r\n--c\r\n'] })
      }
    }
  })

  test('takes an empty form, an empty file and text after the last boundary', async ({ send }) => {
    expect(await send(end)).toEqual({ fields: {}, files: [] })
    expect(await send(file('content', '') + end)).toEqual({ fields: {}, files: ['content|f.txt|text/plain|'] })
    expect(await send(`${field('a', '1')}${end}good bye`)).toEqual({ fields: { a: '1' }, files: [] })
  })

  test.for([
    ['no body at all', ''],
    ['another boundary', field('a', '1').replaceAll('--b', '--c')],
    ['a cut field', field('a', '1')],
    ['a cut file', file('a', '1')],
    ['a part without the end of its headers', `--b\r\ngarbage\r\n${end}`],
    ['a file and then a part without the end of its headers', `${file('content', 'x')}--b\r\ngarbage\r\n${end}`],
    ['bare line feeds', `${field('a', '1')}${end}`.replaceAll('\r', '')],
    ['a nameless field', `--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n${end}`],
    ['a nameless file', `--b\r\nContent-Disposition: form-data; filename="f"\r\n\r\n1\r\n${end}`],
    ['two files', file('a', '1') + file('b', '2') + end],
    ['too many fields', Array.from({ length: 21 }, (_, index) => field(`f${index}`, '')).join('') + end],
  ] as const)('refuses %s', async ([, body], { send }) => {
    expect(await send(body)).toMatchObject({ code: 'bad_request' })
  })

  test('refuses a boundary that no parser takes', async ({ send }) => {
    expect(await send(end, { boundary: 'x'.repeat(300) })).toMatchObject({ code: 'bad_request' })
  })

  test('names a field that comes twice or is too long', async ({ send }) => {
    expect(await send(field('a/b', '1') + field('a/b', '2') + end)).toMatchObject({ code: 'validation_failed', detail: '/a~1b is given twice.' })
    expect(await send(field('a', 'x'.repeat(65_536)) + end)).toMatchObject({ fields: { a: 'x'.repeat(65_536) } })
    expect(await send(field('a', 'x'.repeat(65_537)) + end)).toMatchObject({ code: 'validation_failed', detail: '/a may have 65536 bytes at most.' })
  })

  test('bounds the file to the byte, and whatever surrounds it', async ({ send }) => {
    expect(await send(file('a', 'x'.repeat(1_000)) + end)).toMatchObject({ fields: {} })
    expect(await send(file('a', 'x'.repeat(1_001)) + end)).toMatchObject({ code: 'body_too_large', files: [] })
    expect(await send('x'.repeat(3_000_000) + end)).toMatchObject({ code: 'body_too_large' })
  })

  test('stops at the reader’s own failure', async ({ send }) => {
    const onFile: OnFile = async () => {
      throw new Problem('conflict', 'The name is taken.')
    }
    expect(await send(file('a', 'x') + end, { onFile })).toMatchObject({ code: 'conflict' })
    expect(await send(file('a', 'x'), { onFile, open: true })).toMatchObject({ code: 'conflict' })
  })

  test('passes over what the reader does not read, and refuses a reader that gives up silently', async ({ send }) => {
    const big = { maxBytes: 1_000_000, idleMs: 5_000 }
    expect(await send(file('a', 'x'.repeat(900_000)) + field('b', '1') + end, { onFile: async () => undefined, limits: big })).toMatchObject({ fields: { b: '1' } })
    const giveUp: OnFile = async ({ stream }) => void stream.destroy()
    expect(await send(file('a', 'x'.repeat(900_000)) + end, { onFile: giveUp, limits: big })).toMatchObject({ code: 'surprise' })
  })

  test('fails the file’s stream with the reason, and waits for its reader, when the client goes away', async ({ send }) => {
    const seen: string[] = []
    const onFile: OnFile = async ({ stream }, hangUp) => {
      try {
        stream.once('data', hangUp)
        await finished(stream)
      } catch (error) {
        await new Promise((done) => setImmediate(done))
        seen.push((error as Problem).code)
        throw error
      }
    }
    expect(await send(file('a', 'x'.repeat(900)), { onFile, open: true })).toMatchObject({ code: 'bad_request', detail: 'The body was cut off.' })
    expect(seen).toEqual(['bad_request'])
  })

  test('does not wait for a client that has fallen silent, or that takes too long in all', async ({ send }) => {
    expect(await send(field('a', '1'), { open: true, limits: { maxBytes: 10, idleMs: 30 } })).toMatchObject({ code: 'request_timeout', detail: 'Nothing of the body arrived for 0.03 s.' })
    expect(await send(field('a', '1'), { open: true, limits: { maxBytes: 10, idleMs: 5_000, deadlineMs: 30 } })).toMatchObject({ code: 'request_timeout' })
  })

  test('does not blame the client for the time that the reader takes', async ({ send }) => {
    const slow: OnFile = async ({ stream }) => {
      await pause(150)
      stream.resume()
    }
    const body = file('a', 'x'.repeat(900_000)) + end
    expect(await send(body, { onFile: slow, limits: { maxBytes: 1_000_000, idleMs: 40 } })).toMatchObject({ fields: {} })
  })
})
