import { beforeEach, describe, expect } from 'vitest'
import { test } from '../support/api.ts'
import { createUser, failUntilSlow, forgetFailures, isValid, passTime, password } from '../support/users.ts'

const id = 'secrets.user.verify'

describe(id, () => {
  beforeEach<{ api: Parameters<typeof forgetFailures>[0] }>(({ api }) => forgetFailures(api))

  test('answers whether the username and the password belong together', async ({ api, call, sendAs }) => {
    await createUser(call, 'ada')
    const response = await sendAs(api.adminKey, id, { body: { credential: { username: 'ada', password } } })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ valid: true })
    for (const wrong of ['x', `${password} `, password.toUpperCase(), 'x'.repeat(1024)]) expect(await isValid(call, 'ada', wrong)).toBe(false)
    expect(await isValid(call, 'ADA', password)).toBe(false)
  })

  test('answers an unknown user like a wrong password, the back-off included', async ({ api, call, sendAs }) => {
    await failUntilSlow(api, async () => expect(await isValid(call, 'nobody', password)).toBe(false))
    const response = await sendAs(api.adminKey, id, { body: { credential: { username: 'nobody', password } } })
    expect(response.status).toBe(429)
    expect(await response.json()).toMatchObject({ code: 'too_many_attempts' })
    expect(response.headers.get('retry-after')).toBe('16')
  })

  test.for([
    [{ username: 'ada', password: '' }, '/credential/password'],
    [{ username: 'ada', password: 'x'.repeat(1025) }, '/credential/password'],
    [{ username: 'ada', password: '😀'.repeat(257) }, '/credential/password'],
    [{ username: '..', password }, '/credential/username'],
    [{ username: 'a'.repeat(1001), password }, '/credential/username'],
    [{ username: 'ada' }, '/credential/password'],
    [{ username: 'ada', password, oldpassword: password }, '/credential/oldpassword'],
  ] as const)('refuses %j and names the field', async ([credential, path], { api, sendAs }) => {
    const response = await sendAs(api.adminKey, id, { body: { credential } })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [{ path }] })
  })

  test('compares about ten of fifty wrong guesses at once, and refuses the others', async ({ api, call, sendAs }) => {
    await createUser(call, 'guessed')
    const guess = (index: number) => sendAs(api.adminKey, id, { body: { credential: { username: 'guessed', password: `guess ${index}` } } })
    const responses = await Promise.all(Array.from({ length: 50 }, (_, index) => guess(index)))
    const compared = responses.filter(({ status }) => status === 200)
    const refused = responses.filter(({ status }) => status === 429)
    expect(compared.length + refused.length).toBe(50)
    // A wait of one second may end while the last guesses are still in line; each wait after it is longer.
    expect(compared.length).toBeGreaterThanOrEqual(10)
    expect(compared.length).toBeLessThanOrEqual(12)
    expect(await refused[0]?.json()).toMatchObject({ code: 'too_many_attempts' })
    expect(refused.every(({ headers }) => Number(headers.get('retry-after')) >= 1)).toBe(true)
  })

  test('lets fifty right passwords at once through', async ({ call }) => {
    await createUser(call, 'busy')
    const answers = await Promise.all(Array.from({ length: 50 }, () => isValid(call, 'busy', password)))
    expect(answers.every(Boolean)).toBe(true)
  })

  test('doubles the wait with every failure after the tenth, up to a quarter of an hour, for the right password too', async ({ api, call, sendAs }) => {
    await createUser(call, 'slowed')
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await passTime(api, 10)
      expect(await isValid(call, 'slowed', 'wrong')).toBe(false)
    }
    const waits: number[] = []
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const refused = await sendAs(api.adminKey, id, { body: { credential: { username: 'slowed', password } } })
      expect(refused.status).toBe(429)
      waits.push(Number(refused.headers.get('retry-after')))
      await passTime(api, waits.at(-1) ?? 0)
      expect(await isValid(call, 'slowed', 'wrong')).toBe(false)
    }
    expect(waits).toEqual([4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  })

  test('starts anew after a success', async ({ api, call }) => {
    await createUser(call, 'forgiven')
    await failUntilSlow(api, () => isValid(call, 'forgiven', 'wrong'))
    await passTime(api, 16)
    expect(await isValid(call, 'forgiven', password)).toBe(true)
    for (let attempt = 0; attempt < 9; attempt += 1) expect(await isValid(call, 'forgiven', 'wrong')).toBe(false)
    expect(await isValid(call, 'forgiven', password)).toBe(true)
  })

  test('holds up one user only', async ({ api, call, sendAs }) => {
    await createUser(call, 'victim')
    await createUser(call, 'neighbour')
    await failUntilSlow(api, () => isValid(call, 'victim', 'wrong'))
    const refused = await sendAs(api.adminKey, id, { body: { credential: { username: 'victim', password } } })
    expect(refused.status).toBe(429)
    expect(await isValid(call, 'neighbour', password)).toBe(true)
  })

  test('shows the password in no log line', async ({ api, call }) => {
    await isValid(call, 'logged', 'canary-password')
    expect(api.logLines.join('')).not.toContain('canary-password')
  })
})
