import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { credential, openOutside } from '../../support/outside.ts'
import { runEach } from '../../support/runEach.ts'
import { openTarget, type Answering } from '../../support/target.ts'

let answer: Answering = {}
const target = await openTarget(() => answer)
afterAll(() => target[Symbol.asyncDispose]())
beforeEach(() => void target.hits.splice(0))

const says = (content: unknown): Answering => ({ body: { choices: [{ index: 0, message: { role: 'assistant', content } }] } })
const outside = openOutside({
  credentials: [credential('openai', 'openai', { apiKey: 'sk-secret', organization: 'o', baseUrl: `${target.url}/v1/` }), credential('key', 'okta', { apiToken: 't' })],
})
const bodyOf = (hit = 0): unknown => JSON.parse(target.hits[hit]?.body.toString() ?? '')

describe('prompt', () => {
  test('asks below the base address and keeps the row', async () => {
    answer = says('Yes')
    const { rows } = await runEach('prompt "Is this friendly? $review$" --credential openai --model m --system "Be short" --temperature 0.5', { outside, row: { review: 'Great' } })
    expect(rows).toEqual([{ review: 'Great', '_prompt.text': 'Yes' }])
    expect(target.hits[0]).toMatchObject({ method: 'POST', url: '/v1/chat/completions', headers: { authorization: 'Bearer sk-secret', 'openai-organization': 'o' } })
    expect(bodyOf()).toEqual({ model: 'm', temperature: 0.5, messages: [{ role: 'system', content: 'Be short' }, { role: 'user', content: 'Is this friendly? Great' }] })
  })

  test('asks at --url where it is given', async () => {
    answer = says('Hello')
    await runEach(`prompt Hi --credential openai --url ${target.url}/own`, { outside })
    expect(target.hits[0]?.url).toBe('/own/chat/completions')
  })

  test('with --json makes columns of the answer', async () => {
    answer = says('{"friendly": true, "why": ["great"], "score": 0.9}')
    const { rows } = await runEach('prompt "Is it?" --credential openai --json', { outside, row: { id: 1 } })
    expect(rows).toEqual([{ id: 1, '_prompt.friendly': true, '_prompt.why.0': 'great', '_prompt.score': 0.9 }])
    expect(bodyOf()).toMatchObject({ response_format: { type: 'json_object' }, messages: [{ role: 'system', content: expect.stringContaining('JSON') }, {}] })
  })

  test('with --json reads an answer in a fence', async () => {
    answer = says('```json\n{"a": 1}\n```')
    expect((await runEach('prompt x --credential openai --json', { outside })).rows).toEqual([{ '_prompt.a': 1 }])
  })

  test.for<[string, Answering, string, string]>([
    ['an answer that is not the JSON it asked for', says('Sure! {"a": 1'), 'target_unreadable', 'valid JSON'],
    ['an answer without a message', { body: { choices: [] } }, 'target_unreadable', 'no message'],
    ['a refusal', { body: { choices: [{ message: { content: null, refusal: 'I cannot' } }] } }, 'command_failed', 'I cannot'],
    ['an error status', { status: 401, body: { error: { message: 'Incorrect API key provided: sk-secret' } } }, 'target_status', '401'],
  ])('reports %s, without the key', async ([, given, code, message]) => {
    answer = given
    const problem = await runEach('prompt x --credential openai --json', { outside }).catch((error: unknown) => error)
    expect(problem).toMatchObject({ code, message: expect.stringContaining(message) })
    expect(String(problem)).not.toContain('sk-secret')
  })

  test('needs an openai credential', async () => {
    await expect(runEach('prompt x --credential key', { outside })).rejects.toMatchObject({ code: 'unprocessable', message: expect.stringContaining('of the type openai') })
  })
})
