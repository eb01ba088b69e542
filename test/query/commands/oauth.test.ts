import { afterAll, describe, expect, test } from 'vitest'
import { findCommand } from '../../../src/query/commands/index.ts'
import { credential, openOutside } from '../../support/outside.ts'
import { runEach } from '../../support/runEach.ts'
import { openTarget } from '../../support/target.ts'

const target = await openTarget(() => ({ body: { access_token: 'abc', token_type: 'Bearer', expires_in: 3600 } }))
afterAll(() => target[Symbol.asyncDispose]())
const values = { grantType: 'client_credentials', clientId: 'i', clientSecret: 's', tokenUrl: `${target.url}/token` }
const outside = openOutside({ credentials: [credential('github', 'oauth', values), credential('key', 'okta', { apiToken: 't' })] })

describe('oauth', () => {
  test('answers one row with the token', async () => {
    const { rows } = await runEach('oauth --credential github', { outside })
    expect(rows).toEqual([{ 'token.access_token': 'abc', 'token.token_type': 'Bearer', 'token.expires_in': expect.toSatisfy((left: number) => left > 3500 && left <= 3600) }])
  })

  test('asks for no token while one lasts', async () => {
    await runEach('oauth --credential github', { outside })
    await runEach('oauth --credential github', { outside })
    expect(target.hits).toHaveLength(1)
  })

  test('refuses a credential that gets no tokens', async () => {
    await expect(runEach('oauth --credential key', { outside })).rejects.toMatchObject({ code: 'command_failed', message: expect.stringContaining('oauth and gcp') })
  })

  test('is never cached', () => {
    expect(findCommand('oauth')).toMatchObject({ neverCached: true, rowsPerJob: 1 })
  })
})
