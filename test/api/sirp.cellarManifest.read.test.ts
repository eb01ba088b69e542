import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { badPathNames } from '../support/cellar.ts'
import { brief } from '../support/labels.ts'
import { limitedKey } from '../support/limitedKey.ts'
import { addManifest, manifestsPath, someHash } from '../support/manifests.ts'
import { expectProblem } from '../support/problems.ts'
import { sendPath } from '../support/rawPath.ts'

const id = 'sirp.cellarManifest.read'

describe(id, () => {
  test('answers the record that was added, with its version', async ({ api, sendAs }) => {
    const record = await addManifest(api, 'a b', { screenshots: [[someHash]], attributesContext: { b: 1, a: { z: 1, y: 2 } } })
    const response = await sendAs(api.adminKey, id, { params: { name: 'a b' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('etag')).toBe('"1"')
    expect(await response.json()).toEqual(record)
  })

  test('answers not_found for a name that nothing has', async ({ api, sendAs }) => {
    await expectProblem(await sendAs(api.adminKey, id, { params: { name: 'nobody' } }), 'not_found')
  })

  test('asks for the scope cellar:read', async ({ api, sendAs }) => {
    await addManifest(api, 'guarded')
    await expectProblem(await sendAs(await limitedKey(api, 'cellar:write'), id, { params: { name: 'guarded' } }), 'forbidden')
  })

  test.for(badPathNames.map((name) => [brief(name), name] as const))('refuses %s in the path', async ([, name], { api }) => {
    const { status, body } = await sendPath(api, 'GET', `${manifestsPath}/${name}`)
    expect({ status, errors: body['errors'] }).toMatchObject({ status: 400, errors: [{ path: '/name', in: 'path' }] })
  })
})
