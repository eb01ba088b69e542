import { describe, expect, it } from 'vitest'
import type { RequestsCaptured } from '../../../../src/contract/krull/replies.ts'
import { RequestLog } from '../../../../workers/browser/steps/requestLog.ts'
import { tasks } from '../../../../workers/browser/steps/tasks.ts'
import { openBench } from '../../../support/browserTasks.ts'

const bench = openBench({
  '/': `<!doctype html><title>all</title><link rel=stylesheet href=/hop><img src=/missing.png>
    <img src="http://10.0.0.1/x.png"><img src="http://127.0.0.1:2/y.png">
    <iframe src="/frame"></iframe><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><script>
      fetch('/data', { method: 'POST', body: '{}' }).then((answer) => answer.json()).then(({ n }) => { window.n = n })
      new Worker('/worker.js')
      new WebSocket('ws://' + location.host + '/socket')
      setTimeout(() => fetch('/later'), 300)
    </script>`,
  '/hop': (_request, response) => response.writeHead(302, { location: '/x.css', 'x-hop': '1' }).end(),
  '/x.css': (_request, response) => response.writeHead(200, { 'content-type': 'text/css' }).end('p { color: red }'),
  '/frame': '<p>frame</p>',
  '/data': (request, response) => void request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/json', 'x-mine': 'é1' }).end('{"n":5}')),
  '/worker.js': (_request, response) => response.writeHead(200, { 'content-type': 'text/javascript' }).end('fetch("/fromWorker")'),
  '/fromWorker': 'w',
  '/later': 'later',
  '/sites': (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(`<iframe src="http://localhost:${bench.port}/site"></iframe>`),
  '/site': '<script src=/inside.js></script>',
  '/inside.js': 'fetch("/deep")',
  '/deep': 'deep',
  '/big': '<script>fetch("/bigText"); fetch("/bytes")</script>',
  '/bigText': (_request, response) => response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('é'.repeat(1_000_000)),
  '/bytes': (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([0x89, 0x50, 0, 1, 2])),
})

const capture = (path: string, more: object = {}): Promise<RequestsCaptured> =>
  tasks.requests({ url: `${bench.url}${path}`, ...more }, bench.tools()).then(({ answer }) => answer)
const find = ({ requests }: RequestsCaptured, end: string) => requests.find(({ url }) => url.endsWith(end))

describe('the requests of a page', { timeout: 60_000 }, () => {
  it('are all there: of its frames, workers and sockets, redirected, failed and late ones', async () => {
    const answer = await capture('/', { responseText: true, expression: 'window.n', session: true })
    const page = { status: 200, title: 'all' }
    expect(answer).toMatchObject({ result: 5, attempts: 1, total: answer.requests.length, page, localStorage: {} })
    expect(answer.requests[0]).toMatchObject({ url: `${bench.url}/`, method: 'GET', type: 'document', status: 200, mimeType: 'text/html', initiator: 'other' })
    expect(find(answer, '/data')).toMatchObject({
      method: 'POST', type: 'fetch', status: 200, mimeType: 'application/json', headers: { 'content-type': 'application/json' },
      responseText: '{"n":5}', initiator: `${bench.url}/`,
    })
    expect(find(answer, '/data')?.ms).toBeGreaterThan(0)
    expect(find(answer, '/data')?.size).toBeGreaterThan(7)
    expect(find(answer, '/hop')).toMatchObject({ status: 302, type: 'stylesheet', headers: { 'x-hop': '1' } })
    expect(find(answer, '/x.css')).toMatchObject({ status: 200, mimeType: 'text/css', responseText: 'p { color: red }' })
    expect(find(answer, '/missing.png')).toMatchObject({ status: 404, type: 'image' })
    expect(find(answer, '/frame')).toMatchObject({ status: 200, type: 'document', responseText: '<p>frame</p>' })
    expect(find(answer, '/fromWorker')).toMatchObject({ status: 200 })
    expect(find(answer, '/later')).toMatchObject({ status: 200 })
    expect(find(answer, '/socket')).toMatchObject({ type: 'websocket', method: 'GET' })
    expect(answer.requests.filter(({ url }) => url.startsWith('data:'))).toEqual([])
  })

  it('are those of a frame of another site too', async () => {
    const answer = await capture('/sites', { responseText: true })
    expect(answer.requests.map(({ url, type, status }) => [new URL(url).pathname, type, status])).toEqual([
      ['/sites', 'document', 200], ['/site', 'document', 200], ['/inside.js', 'script', 200], ['/deep', 'fetch', 200],
    ])
    expect(find(answer, '/deep')).toMatchObject({ initiator: `http://localhost:${bench.port}/inside.js`, responseText: 'deep' })
  })

  it('say why nothing came back', async () => {
    const answer = await capture('/')
    expect(find(answer, '/x.png')).toMatchObject({ status: null, headers: {}, error: expect.stringContaining('10.0.0.1') as string })
    expect(find(answer, '/y.png')).toMatchObject({ status: null, error: expect.stringContaining('127.0.0.1') as string })
    expect(find(answer, '/data')).not.toHaveProperty('responseText')
  })

  it('come with text of one mebibyte at most, cut between characters, and none of bytes', async () => {
    const answer = await capture('/big', { responseText: true })
    expect(find(answer, '/bigText')?.responseText).toBe('é'.repeat(524_288))
    expect(find(answer, '/bytes')).not.toHaveProperty('responseText')
  })

  it('are counted beyond the 2,000 that are recorded', () => {
    const log = new RequestLog()
    const sent = (index: number) => ({
      requestId: String(index), loaderId: '', documentURL: '',
      request: { url: `http://a/${index}`, method: 'GET', headers: {}, initialPriority: 'Low' as const, referrerPolicy: 'origin' as const },
      timestamp: 1, wallTime: 1, initiator: { type: 'other' as const }, redirectHasExtraInfo: false,
    })
    for (let index = 0; index < 2_500; index += 1) log.begin(sent(index))
    expect([log.requests.length, log.total]).toEqual([2_000, 2_500])
  })
})
