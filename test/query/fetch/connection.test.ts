import { describe, expect, test } from 'vitest'
import type { Outgoing } from '../../../src/query/outside.ts'
import { credential, openOutside } from '../../support/outside.ts'
import { runEach } from '../../support/runEach.ts'
import { openTarget } from '../../support/target.ts'

describe('a prepared request', () => {
  test('carries the connection flags', async () => {
    await using target = await openTarget()
    const sent: Outgoing[] = []
    const outside = openOutside({ onSend: (request) => void sent.push(request) })
    const flags = '--verifySSL false --followRedirects false'
    await expect(runEach(`api get ${target.url} ${flags} --proxy "socks5://127.0.0.1:$port$"`, { row: { port: 1 }, outside })).rejects.toMatchObject({ code: expect.stringMatching(/^target_/) as unknown })
    await runEach(`api delete ${target.url} --proxy "$none$"`, { outside })
    expect(sent).toEqual([
      { method: 'GET', url: `${target.url}/`, followRedirects: false, verifyTls: false, proxy: 'socks5://127.0.0.1:1' },
      { method: 'DELETE', url: `${target.url}/`, followRedirects: true, verifyTls: true },
    ])
  })

  test('is signed behind all else', async () => {
    await using target = await openTarget()
    const values = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'secret', region: 'eu-west-1', service: 'execute-api' }
    const outside = openOutside({ credentials: [credential('a', 'aws4', values), credential('p', 'pinecone', { apiKey: 'key' })] })
    await runEach(`api post ${target.url}/x --data "{a: 1}" --credentials.aws4 a --credentials.pinecone p --headers '{"X-A": "b"}'`, { outside })
    const headers = target.hits[0]?.headers
    expect(headers?.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/\d{8}\/eu-west-1\/execute-api\/aws4_request, SignedHeaders=.*api-key.*x-a/)
    expect(headers?.['api-key']).toBe('key')
  })

  test('is not sent where a credential is missing', async () => {
    await using target = await openTarget()
    await expect(runEach(`api get ${target.url} --credentials.custom none`)).rejects.toMatchObject({ code: 'not_found' })
    expect(target.hits).toEqual([])
  })

  test.for(['{"X A": "b"}', '{"": "b"}', '{"X:": "b"}', '{"X": {"a": 1}}', '{"X": ["a"]}'])('is refused with headers that cannot be: %s', async (headers) => {
    await using target = await openTarget()
    await expect(runEach(`api get ${target.url} --headers '${headers}'`)).rejects.toMatchObject({ code: 'unprocessable' })
    expect(target.hits).toEqual([])
  })
})
