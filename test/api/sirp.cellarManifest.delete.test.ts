import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { badPathNames } from '../support/cellar.ts'
import { brief } from '../support/labels.ts'
import { limitedKey } from '../support/limitedKey.ts'
import { addManifest, manifestsPath } from '../support/manifests.ts'
import { expectProblem } from '../support/problems.ts'
import { sendPath } from '../support/rawPath.ts'
import { tally } from '../support/tally.ts'

const id = 'sirp.cellarManifest.delete'

describe(id, () => {
  test('answers 204, after which the manifest is gone and its name free', async ({ api, sendAs }) => {
    const { id: firstId } = await addManifest(api, 'gone')
    const response = await sendAs(api.adminKey, id, { params: { name: 'gone' } })
    expect([response.status, await response.text()]).toEqual([204, ''])
    await expectProblem(await sendAs(api.adminKey, 'sirp.cellarManifest.read', { params: { name: 'gone' } }), 'not_found')
    expect((await addManifest(api, 'gone')).id).not.toBe(firstId)
  })

  test('deletes only the version that If-Match names', async ({ api, sendAs }) => {
    await addManifest(api, 'kept')
    const remove = (version: number) => sendAs(api.adminKey, id, { params: { name: 'kept' }, headers: { 'If-Match': `"${version}"` } })
    await expectProblem(await remove(2), 'precondition_failed')
    expect((await remove(1)).status).toBe(204)
  })

  test('is done once when ten requests ask for it at once', async ({ api, sendAs }) => {
    await addManifest(api, 'contended')
    const remove = async () => (await sendAs(api.adminKey, id, { params: { name: 'contended' } })).status
    expect(tally(await Promise.all(Array.from({ length: 10 }, remove)))).toEqual({ 204: 1, 404: 9 })
  })

  test('asks for the scope cellar:write', async ({ api, sendAs }) => {
    await addManifest(api, 'guarded')
    await expectProblem(await sendAs(await limitedKey(api, 'cellar:read'), id, { params: { name: 'guarded' } }), 'forbidden')
  })

  test.for(badPathNames.map((name) => [brief(name), name] as const))('refuses %s in the path', async ([, name], { api }) => {
    const { status, body } = await sendPath(api, 'DELETE', `${manifestsPath}/${name}`)
    expect({ status, errors: body['errors'] }).toMatchObject({ status: 400, errors: [{ path: '/name', in: 'path' }] })
  })
})
