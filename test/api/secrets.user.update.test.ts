import { beforeEach, describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { badLabels, badPathLabels, brief, goodLabels } from '../support/labels.ts'
import { sendPath } from '../support/rawPath.ts'
import { createUser, failUntilSlow, forgetFailures, isValid, password } from '../support/users.ts'

const id = 'secrets.user.update'
const next = 'battery staple'

const changeOf = (username: unknown, fields: Record<string, unknown> = {}) => ({ credential: { username, password: next, oldpassword: password, ...fields } })

describe(id, () => {
  beforeEach<{ api: Parameters<typeof forgetFailures>[0] }>(({ api }) => forgetFailures(api))

  test('sets the password and counts the version up', async ({ api, call, sendAs }) => {
    const before = await createUser(call, 'ada/1')
    const response = await sendAs(api.adminKey, id, { params: { username: 'ada/1' }, body: changeOf('ada/1') })
    expect(response.status).toBe(200)
    expect(response.headers.get('etag')).toBe('"2"')
    expect(await response.json()).toEqual({ ...before, version: 2, updatedAt: expect.stringMatching(/Z$/) })
    expect(await isValid(call, 'ada/1', next)).toBe(true)
    expect(await isValid(call, 'ada/1', password)).toBe(false)
  })

  test('renames the user where the body has another username', async ({ api, call, sendAs }) => {
    const before = await createUser(call, 'old name')
    const response = await sendAs(api.adminKey, id, { params: { username: 'old name' }, body: changeOf('new name') })
    expect(await response.json()).toMatchObject({ id: before.id, username: 'new name', version: 2 })
    expect(await isValid(call, 'new name', next)).toBe(true)
    expect(await isValid(call, 'old name', next)).toBe(false)
    await expect(createUser(call, 'old name')).resolves.toMatchObject({ version: 1 })
  })

  test('answers conflict where the new username is taken, and changes nothing', async ({ api, call, sendAs }) => {
    await createUser(call, 'mine')
    await createUser(call, 'theirs')
    const response = await sendAs(api.adminKey, id, { params: { username: 'mine' }, body: changeOf('theirs') })
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ code: 'conflict' })
    expect(await isValid(call, 'mine', password)).toBe(true)
    expect(await isValid(call, 'theirs', password)).toBe(true)
  })

  test('answers wrong_password for a wrong oldpassword, changes nothing and tells the audit log', async ({ api, call, sendAs }) => {
    await createUser(call, 'guarded')
    const response = await sendAs(api.adminKey, id, { params: { username: 'guarded' }, body: changeOf('guarded', { oldpassword: 'guess-canary' }) })
    expect(response.status).toBe(403)
    const text = await response.text()
    expect(JSON.parse(text)).toMatchObject({ code: 'wrong_password' })
    expect(text).not.toContain('guess-canary')
    expect(await isValid(call, 'guarded', password)).toBe(true)
    await expect(api.house.db.auditEntry.count({ where: { operation: id, target: 'guarded', outcome: 'wrong_password' } })).resolves.toBe(1)
  })

  test('counts a wrong oldpassword as a failed attempt, also for the verification', async ({ api, call, sendAs }) => {
    await createUser(call, 'attacked')
    await failUntilSlow(api, () => sendAs(api.adminKey, id, { params: { username: 'attacked' }, body: changeOf('attacked', { oldpassword: 'x' }) }))
    const update = await sendAs(api.adminKey, id, { params: { username: 'attacked' }, body: changeOf('attacked') })
    expect(update.status).toBe(429)
    expect(await update.json()).toMatchObject({ code: 'too_many_attempts' })
    await expect(isValid(call, 'attacked', password)).rejects.toMatchObject({ status: 429 })
  })

  test('answers not_found for a user that does not exist, and creates nobody', async ({ api, call, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { params: { username: 'nobody' }, body: changeOf('nobody') })
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ code: 'not_found' })
    expect(await isValid(call, 'nobody', next)).toBe(false)
  })

  test('changes only the version that If-Match names', async ({ api, call, sendAs }) => {
    await createUser(call, 'versioned')
    const change = (version: number) =>
      sendAs(api.adminKey, id, { params: { username: 'versioned' }, body: changeOf('versioned'), headers: { 'If-Match': `"${version}"` } })
    const stale = await change(2)
    expect(stale.status).toBe(412)
    expect(await stale.json()).toMatchObject({ code: 'precondition_failed' })
    expect(await isValid(call, 'versioned', password)).toBe(true)
    expect((await change(1)).status).toBe(200)
  })

  test('lets one of five changes with the same oldpassword through at once', async ({ api, call, sendAs }) => {
    await createUser(call, 'contended')
    const change = (index: number) =>
      sendAs(api.adminKey, id, { params: { username: 'contended' }, body: changeOf('contended', { password: `password ${index}` }) })
    const responses = await Promise.all([0, 1, 2, 3, 4].map(change))
    const winners = responses.flatMap(({ status }, index) => (status === 200 ? [index] : []))
    expect(winners).toHaveLength(1)
    expect(responses.every(({ status }) => [200, 403, 412].includes(status))).toBe(true)
    expect(await isValid(call, 'contended', `password ${winners[0]}`)).toBe(true)
  })

  test.for([
    [{ password: 'x'.repeat(7) }, '/credential/password'],
    [{ password: '😀'.repeat(257) }, '/credential/password'],
    [{ oldpassword: '' }, '/credential/oldpassword'],
    [{ oldpassword: 'x'.repeat(1025) }, '/credential/oldpassword'],
    [{ oldpassword: '😀'.repeat(257) }, '/credential/oldpassword'],
    [{ oldpassword: undefined }, '/credential/oldpassword'],
    [{ newpassword: 'x' }, '/credential/newpassword'],
  ] as const)('refuses the fields %j and names the wrong one', async ([fields, path], { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { params: { username: 'anybody' }, body: changeOf('anybody', fields) })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ path }] })
  })

  test('takes and refuses the same usernames as the creation', async ({ api, call, sendAs }) => {
    await createUser(call, 'start')
    const rename = (from: string, to: unknown) => sendAs(api.adminKey, id, { params: { username: from }, body: changeOf(to, { password }) })
    for (const name of badLabels(1000)) expect({ name: brief(name), status: (await rename('start', name)).status }).toEqual({ name: brief(name), status: 400 })
    let current = 'start'
    for (const name of goodLabels(1000)) {
      expect({ name: brief(name), status: (await rename(current, name)).status }).toEqual({ name: brief(name), status: 200 })
      current = name
    }
  })

  test.for(badPathLabels.map((name) => [brief(name), name] as const))('refuses %s in the path', async ([, name], { api }) => {
    const { status, body } = await sendPath(api, 'PUT', `/v1/secrets/users/${name}`, changeOf('a'))
    expect(status).toBe(400)
    expect(body).toMatchObject({ errors: [{ path: '/username', in: 'path' }] })
  })
})
