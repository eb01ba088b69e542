import { describe, expect, test } from 'vitest'
import { findCommand } from '../../../src/query/commands/index.ts'
import { credential, openOutside } from '../../support/outside.ts'
import { runEach } from '../../support/runEach.ts'

const outside = openOutside({
  credentials: [credential('splunk', 'splunk', { token: 't' }), credential('llm', 'openai', { apiKey: 'k', project: 'p' }), credential('aws', 'aws4', { accessKeyId: 'a', secretAccessKey: 's' })],
})

describe('auth', () => {
  test('answers one row with a column a header', async () => {
    expect((await runEach('auth --credential splunk', { outside })).rows).toEqual([{ Authorization: 'Splunk t' }])
    expect((await runEach('auth --credential llm', { outside })).rows).toEqual([{ Authorization: 'Bearer k', 'OpenAI-Project': 'p' }])
  })

  test('says that a signature needs a request', async () => {
    await expect(runEach('auth --credential aws', { outside })).rejects.toMatchObject({ code: 'command_failed', message: expect.stringContaining('--credentials.aws4') })
  })

  test('is never cached', () => {
    expect(findCommand('auth')).toMatchObject({ neverCached: true, rowsPerJob: 1 })
  })
})
