import { beforeEach, describe, expect } from 'vitest'
import { SignInBackoff } from '../../src/services/secrets/signInBackoff.ts'
import { test, type RunningApi } from '../support/api.ts'
import { failUntilSlow, forgetFailures, passTime } from '../support/users.ts'

const address = '192.0.2.1'
const by = (user: number, place = address) => ({ username: `user ${user}`, address: place })

/** Counts attempts from the address, each for another user. */
async function countUsers(backoff: SignInBackoff, first: number, count: number): Promise<void> {
  for (let user = first; user < first + count; user += 1) await backoff.count(by(user))
}

/** What is kept of the address. */
async function keptOfAddress({ house }: RunningApi): Promise<{ failures: number; slowed: boolean }> {
  const { failures, blockedUntil } = await house.db.signInFailure.findUniqueOrThrow({ where: { subject: `addr:${address}` } })
  return { failures, slowed: blockedUntil !== null }
}

describe('the back-off of sign-ins', () => {
  beforeEach<{ api: RunningApi }>(({ api }) => forgetFailures(api))

  test('slows an address down from the hundredth failure on, whoever they are for, and no other address', async ({ api }) => {
    const backoff = new SignInBackoff(api.house.pool)
    await countUsers(backoff, 0, 99)
    expect(await keptOfAddress(api)).toEqual({ failures: 99, slowed: false })
    await countUsers(backoff, 99, 1)
    expect(await keptOfAddress(api)).toEqual({ failures: 100, slowed: true })
    for (const user of [100, 101, 102, 103]) {
      await passTime(api, 10)
      await backoff.count(by(user))
    }
    const refusal = { code: 'too_many_attempts', options: { retryAfterS: 16 } }
    await expect(backoff.refuseEarly(by(104))).rejects.toMatchObject(refusal)
    await expect(backoff.count(by(104))).rejects.toMatchObject(refusal)
    await backoff.count(by(104, '192.0.2.2'))
  })

  test('counts the failures of an address within a quarter of an hour only', async ({ api }) => {
    const backoff = new SignInBackoff(api.house.pool)
    await countUsers(backoff, 0, 99)
    await passTime(api, 15 * 60)
    await countUsers(backoff, 99, 99)
    expect(await keptOfAddress(api)).toEqual({ failures: 99, slowed: false })
  })

  test('takes back only one failure of an address for a success there', async ({ api }) => {
    const backoff = new SignInBackoff(api.house.pool)
    await countUsers(backoff, 0, 20)
    await backoff.count(by(20))
    await backoff.forgive(by(20))
    expect(await keptOfAddress(api)).toEqual({ failures: 20, slowed: false })
  })

  test('does not count against the address what it refuses for the user', async ({ api }) => {
    const backoff = new SignInBackoff(api.house.pool)
    await failUntilSlow(api, () => backoff.count(by(1)))
    await expect(backoff.count(by(1))).rejects.toMatchObject({ code: 'too_many_attempts' })
    expect(await keptOfAddress(api)).toEqual({ failures: 14, slowed: false })
  })

  test('lets one of ninety-nine attempts at once through after each wait, however many processes count', async ({ api }) => {
    await failUntilSlow(api, () => new SignInBackoff(api.house.pool).count(by(1)))
    await passTime(api, 16)
    const attempts = [1, 2, 3].flatMap((process) => {
      const backoff = new SignInBackoff(api.house.pool)
      return Array.from({ length: 33 }, (_, index) => backoff.count(by(1, `198.51.${process}.${index}`)))
    })
    const outcomes = await Promise.allSettled(attempts)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('starts a count over after a day', async ({ api }) => {
    const backoff = new SignInBackoff(api.house.pool)
    for (const day of [1, 2]) {
      for (let attempt = 0; attempt < 9; attempt += 1) await backoff.count(by(day))
      await passTime(api, 24 * 3600)
      for (let attempt = 0; attempt < 9; attempt += 1) await backoff.count(by(day))
      await expect(backoff.refuseEarly(by(day))).resolves.toBeUndefined()
    }
  })

  test('sweeps the counts of names that nobody tries any more', async ({ api }) => {
    const backoff = new SignInBackoff(api.house.pool, 10)
    const countNames = () => api.house.db.signInFailure.count({ where: { subject: { startsWith: 'user:' } } })
    await countUsers(backoff, 0, 9)
    await passTime(api, 24 * 3600 + 1)
    await expect(countNames()).resolves.toBe(9)
    await countUsers(backoff, 9, 2)
    await expect(countNames()).resolves.toBe(2)
  })
})
