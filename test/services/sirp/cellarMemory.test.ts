import { request } from 'node:http'
import { Readable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect } from 'vitest'
import { send } from '../../../src/client/index.ts'
import { test, type RunningApi } from '../../support/api.ts'
import { filesPath } from '../../support/cellar.ts'

const piece = Buffer.alloc(65_536, 'some text that is no JSON; ')
const pieces = 3_200
const total = piece.length * pieces
const boundBytes = 100 * 2 ** 20

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void // the flag above makes it a function

/** Live bytes of this thread alone; what other test files use at the same time does not count. */
function used(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** The most that was used beyond the beginning while something ran. */
async function growthDuring(run: () => Promise<void>): Promise<number> {
  const before = used()
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, used())), 200)
  await run()
  clearInterval(timer)
  return peak - before
}

function upload({ url, adminKey }: RunningApi, contentType: string, head: string, tail: string): Promise<number> {
  function* body(): Generator<Buffer> {
    yield Buffer.from(head)
    for (let count = 0; count < pieces; count += 1) yield piece
    yield Buffer.from(tail)
  }
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `svc ${adminKey}`, 'Content-Type': contentType }
    const sent = request({ hostname, port, method: 'POST', path: filesPath, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0))
    })
    Readable.from(body()).pipe(sent.on('error', reject))
  })
}

const part = (disposition: string, value = ''): string => `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${value}`

describe('a cellar file of 200 MiB', () => {
  test.for<[form: string, type: string, head: string, tail: string]>([
    ['form', 'multipart/form-data; boundary=b', `${part('name="name"', 'form')}\r\n${part('name="f"; filename="f"')}`, '\r\n--b--\r\n'],
    ['json', 'application/json', '{"name":{"value":"json"},"content":{"value":"', '"}}'],
  ])('is uploaded as %s and downloaded without standing in memory', { timeout: 120_000 }, async ([name, type, head, tail], { api }) => {
    const uploading = await growthDuring(async () => expect(await upload(api, type, head, tail)).toBe(201))
    let bytes = 0
    const downloading = await growthDuring(async () => {
      const response = await send({ baseUrl: api.url, apiKey: api.adminKey }, 'sirp.cellarFile.content', { params: { name } })
      for await (const received of response.body ?? []) bytes += (received as Uint8Array).length
    })
    expect(bytes).toBe(total)
    expect(uploading).toBeLessThan(boundBytes)
    expect(downloading).toBeLessThan(boundBytes)
  })
})
