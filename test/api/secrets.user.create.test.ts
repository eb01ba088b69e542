import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { badLabels, brief, goodLabels } from '../support/labels.ts'
import { createUser, isValid, password } from '../support/users.ts'

const id = 'secrets.user.create'

describe(id, () => {
  test('answers 201 with the user, its address and its version, and nothing of the password', async ({ api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { body: { credential: { username: 'ada/1', password } } })
    expect(response.status).toBe(201)
    expect(response.headers.get('location')).toBe('/v1/secrets/users/ada%2F1')
    expect(response.headers.get('etag')).toBe('"1"')
    expect(await response.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      username: 'ada/1',
      version: 1,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    })
  })

  test('stores an argon2id hash at 19 MiB, two passes and one lane, with a salt of its own', async ({ api, call }) => {
    const [first, second] = [await createUser(call, 'salt 1'), await createUser(call, 'salt 2')]
    const hashOf = async (userId: string) => (await api.house.db.user.findUniqueOrThrow({ where: { id: userId } })).passwordHash
    expect(await hashOf(first.id)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await hashOf(first.id)).not.toBe(await hashOf(second.id))
    expect(api.logLines.join('')).not.toContain(password)
  })

  test.for([
    ['8 letters', 'x'.repeat(8)],
    ['2 characters of 4 bytes', '😀😀'],
    ['1024 letters', 'x'.repeat(1024)],
    ['256 characters of 4 bytes', '😀'.repeat(256)],
    ['spaces at both ends', '  spaced  '],
  ] as const)('takes a password of %s, and it verifies', async ([name, given], { call }) => {
    await call(id, { body: { credential: { username: name, password: given } } })
    expect(await isValid(call, name, given)).toBe(true)
    expect(await isValid(call, name, given.slice(0, -2))).toBe(false)
  })

  test.for([
    ['7 letters', 'x'.repeat(7)],
    ['one character of 4 bytes', '😀'],
    ['no letters', ''],
    ['1025 letters', 'x'.repeat(1025)],
    ['257 characters of 4 bytes', '😀'.repeat(257)],
    ['a number', 12_345_678],
    ['null', null],
  ] as const)('refuses a password of %s and says why, without showing it', async ([, given], { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { body: { credential: { username: 'refused', password: given } } })
    expect(response.status).toBe(400)
    const problem = (await response.json()) as { detail: string }
    expect(problem).toMatchObject({ code: 'validation_failed', errors: [{ path: '/credential/password', message: 'must have 8 to 1024 bytes in UTF-8' }] })
    expect(problem.detail).not.toContain('xxxxxxx')
  })

  test.for(goodLabels(1000).map((name) => [brief(name), name] as const))('takes %s as a username', async ([, username], { call }) => {
    await expect(createUser(call, username)).resolves.toMatchObject({ username })
    expect(await isValid(call, username, password)).toBe(true)
  })

  test.for(badLabels(1000).map((name) => [brief(name), name] as const))('refuses %s as a username and says where', async ([, username], { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { body: { credential: { username, password } } })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ path: '/credential/username' }] })
  })

  test.for([
    [{ credential: { username: 'a', password, oldpassword: password } }, '/credential/oldpassword'],
    [{ credential: { username: 'a', password }, admin: true }, '/admin'],
    [{ credential: { username: 'a' } }, '/credential/password'],
    [{ username: 'a', password }, '/credential'],
    [{ credential: 'a:b' }, '/credential'],
  ] as const)('refuses the body %j and names the field', async ([body, path], { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { body })
    expect(response.status).toBe(400)
    const { errors } = (await response.json()) as { errors: { path: string }[] }
    expect(errors.map((error) => error.path)).toContain(path)
  })

  test('creates one user when ten requests ask for one username at once', async ({ api, sendAs }) => {
    const create = (index: number) => sendAs(api.adminKey, id, { body: { credential: { username: '名'.repeat(1000), password: `password ${index}` } } })
    const responses = await Promise.all(Array.from({ length: 10 }, (_, index) => create(index)))
    const codes = await Promise.all(responses.map(async (response) => ((await response.json()) as { code?: string }).code))
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(codes.filter((code) => code === 'conflict')).toHaveLength(9)
  })

  test('tells usernames apart by case', async ({ call }) => {
    await createUser(call, 'Case')
    await expect(createUser(call, 'case')).resolves.toMatchObject({ username: 'case' })
    await expect(createUser(call, 'Case')).rejects.toMatchObject({ status: 409, code: 'conflict' })
  })
})
