import { describe, expect } from 'vitest'
import { oauthMappings } from '../../src/contract/secrets/oauthMappings.ts'
import { test } from '../support/api.ts'
import { expectPageBounds, expectPaging } from '../support/expectPaging.ts'

/** What each grant needs beside the client. */
const grantFields = {
  client_credentials: {},
  password: { username: 'u', password: 'p' },
  refresh_token: { refreshToken: 'r' },
  authorization_code: { code: 'c', redirectUri: 'https://app.example/back' },
} as const

const uses = oauthMappings.flatMap(({ provider, tokenUrl, grantTypes }) => grantTypes.map((grantType) => ({ provider, tokenUrl, grantType })))

describe('secrets.oauthMapping.list', () => {
  test('answers every provider with its addresses, page by page', async ({ api, sendAs }) => {
    await expectPaging((query) => sendAs(api.adminKey, 'secrets.oauthMapping.list', { query }), oauthMappings)
  })

  test('refuses pages beyond the bounds and names the parameter', async ({ api, sendAs }) => {
    await expectPageBounds((query) => sendAs(api.adminKey, 'secrets.oauthMapping.list', { query }))
  })

  test.for(uses)('lists $provider, which a credential can use with the grant $grantType', async ({ provider, tokenUrl, grantType }, { api, sendAs }) => {
    const place = { ...(tokenUrl.includes('{domain}') ? { domain: 'login.example' } : {}), ...(tokenUrl.includes('{tenant}') ? { tenant: 'shop' } : {}) }
    const oauth = { provider, grantType, clientId: 'c', clientSecret: 's', ...place, ...grantFields[grantType] }
    const config = { credential: { name: `${provider} by ${grantType}` }, credentials: { oauth } }
    const response = await sendAs(api.adminKey, 'secrets.credential.create', { body: { type: 'oauth', config } })
    expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 201 })
  })
})
