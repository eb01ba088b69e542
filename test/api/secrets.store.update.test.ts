import { describe, expect } from 'vitest'
import { mask } from '../../src/contract/schemas.ts'
import { test } from '../support/api.ts'
import { expectProblem } from '../support/problems.ts'
import { describeSealedContention } from '../support/sealedConfigs/contention.ts'
import { createConfig, draftOf } from '../support/sealedConfigs/records.ts'
import { describeSealedRefusals } from '../support/sealedConfigs/refusals.ts'
import { describeSealedUpdate } from '../support/sealedConfigs/update.ts'

describeSealedUpdate('store')
describeSealedContention('store')
describeSealedRefusals('store', 'update')

describe('secrets.store.update', () => {
  test('does not hand the secrets of one type on to another that has fields of the same name', async ({ api, sendAs }) => {
    await createConfig(api, 'store', draftOf('store', 'handed on'))
    const configuration = { streamName: 'clicks', region: 'eu-central-1' }
    const config = { store: { name: 'handed on' }, configuration, credentials: { accessKeyId: mask, secretAccessKey: mask } }
    const response = await sendAs(api.adminKey, 'secrets.store.update', { params: { name: 'handed on' }, body: { type: 'awsKinesis', config } })
    const { errors } = await expectProblem(response, 'validation_failed')
    expect(errors).toMatchObject([{ path: '/config/credentials/accessKeyId' }, { path: '/config/credentials/secretAccessKey' }])
  })
})
