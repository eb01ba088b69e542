import { expect } from 'vitest'
import type { Manifest } from '../../src/contract/sirp/cellarManifests.ts'
import { test } from './api.ts'
import { badPathNames } from './cellar.ts'
import { brief } from './labels.ts'
import { limitedKey } from './limitedKey.ts'
import { addManifest, manifestsPath } from './manifests.ts'
import { expectProblem } from './problems.ts'
import { sendPath } from './rawPath.ts'

/** What either touch of a manifest does. */
export function describeTouch(id: 'sirp.cellarManifest.touch' | 'sirp.cellarManifest.touchErrors', step: string): void {
  test('takes no body or an empty one, and no other', async ({ api, sendAs }) => {
    await addManifest(api, 'bodies')
    expect((await sendAs(api.adminKey, id, { params: { name: 'bodies' }, body: {} })).status).toBe(200)
    const { errors } = await expectProblem(await sendAs(api.adminKey, id, { params: { name: 'bodies' }, body: { count: 5 } }), 'validation_failed')
    expect(errors).toMatchObject([{ path: '/count' }])
  })

  test('touches only the version that If-Match names', async ({ api, sendAs }) => {
    await addManifest(api, 'versioned')
    const touch = (version: number) => sendAs(api.adminKey, id, { params: { name: 'versioned' }, headers: { 'If-Match': `"${version}"` } })
    await expectProblem(await touch(2), 'precondition_failed')
    const touched = await touch(1)
    expect(touched.headers.get('etag')).toBe('"2"')
    expect(((await touched.json()) as Manifest).version).toBe(2)
  })

  test('answers not_found for a name that nothing has', async ({ api, sendAs }) => {
    await expectProblem(await sendAs(api.adminKey, id, { params: { name: 'nobody' } }), 'not_found')
  })

  test('asks for the scope cellar:write', async ({ api, sendAs }) => {
    await addManifest(api, 'guarded')
    await expectProblem(await sendAs(await limitedKey(api, 'cellar:read'), id, { params: { name: 'guarded' } }), 'forbidden')
  })

  test.for(badPathNames.map((name) => [brief(name), name] as const))('refuses %s in the path', async ([, name], { api }) => {
    const { status, body } = await sendPath(api, 'POST', `${manifestsPath}/${name}/${step}`)
    expect({ status, errors: body['errors'] }).toMatchObject({ status: 400, errors: [{ path: '/name', in: 'path' }] })
  })
}
