import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { badPathNames, filesPath, keepText } from '../support/cellar.ts'
import { brief } from '../support/labels.ts'
import { limitedKey } from '../support/limitedKey.ts'
import { expectProblem } from '../support/problems.ts'
import { sendPath } from '../support/rawPath.ts'
import { tally } from '../support/tally.ts'

const id = 'sirp.cellarFile.delete'

describe(id, () => {
  test('answers 204, after which the file is gone and its name free', async ({ api, sendAs }) => {
    const { id: firstId } = await keepText(api, 'gone.csv', 'a,b\n')
    const response = await sendAs(api.adminKey, id, { params: { name: 'gone.csv' } })
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
    for (const read of ['sirp.cellarFile.read', 'sirp.cellarFile.content'] as const) {
      await expectProblem(await sendAs(api.adminKey, read, { params: { name: 'gone.csv' } }), 'not_found')
    }
    expect((await keepText(api, 'gone.csv', 'x')).id).not.toBe(firstId)
  })

  test('deletes only the version that If-Match names', async ({ api, sendAs }) => {
    await keepText(api, 'kept', 'x')
    const remove = (version: number) => sendAs(api.adminKey, id, { params: { name: 'kept' }, headers: { 'If-Match': `"${version}"` } })
    await expectProblem(await remove(2), 'precondition_failed')
    expect((await remove(1)).status).toBe(204)
    await expectProblem(await remove(1), 'not_found')
  })

  test('is done once when ten requests ask for it at once, while others replace the file', async ({ api, sendAs }) => {
    await keepText(api, 'contended', 'x')
    const remove = async () => (await sendAs(api.adminKey, id, { params: { name: 'contended' } })).status
    expect(tally(await Promise.all(Array.from({ length: 10 }, remove)))).toEqual({ 204: 1, 404: 9 })
    const replace = async () => (await keepText(api, 'contended', 'y', { replace: 'true' })).bytes
    const statuses = await Promise.all(Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? remove() : replace())))
    expect(statuses.filter((status) => status !== 204 && status !== 404 && status !== 1)).toEqual([])
  })

  test('answers not_found for a name that nothing has', async ({ api, sendAs }) => {
    await expectProblem(await sendAs(api.adminKey, id, { params: { name: 'nobody' } }), 'not_found')
  })

  test('asks for the scope cellar:write', async ({ api, sendAs }) => {
    await keepText(api, 'guarded', 'x')
    await expectProblem(await sendAs(await limitedKey(api, 'cellar:read'), id, { params: { name: 'guarded' } }), 'forbidden')
  })

  test.for(badPathNames.map((name) => [brief(name), name] as const))('refuses %s in the path', async ([, name], { api }) => {
    const { status, body } = await sendPath(api, 'DELETE', `${filesPath}/${name}`)
    expect({ status, errors: body['errors'] }).toMatchObject({ status: 400, errors: [{ path: '/name', in: 'path' }] })
  })
})
