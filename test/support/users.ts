import type { Call } from '../../src/client/index.ts'
import type { RunningApi } from './api.ts'

/** A password that every limit allows. */
export const password = 'correct horse battery'

/** Creates a user with that password. */
export function createUser(call: Call, username: string) {
  return call('secrets.user.create', { body: { credential: { username, password } } })
}

/** Whether a password is the user's. */
export async function isValid(call: Call, username: string, given: string): Promise<boolean> {
  const { valid } = await call('secrets.user.verify', { body: { credential: { username, password: given } } })
  return valid
}

/** Moves every count of failed sign-ins into the past, as if that much time had gone by. */
export async function passTime({ house }: RunningApi, seconds: number): Promise<void> {
  const by = "$1 * interval '1 second'"
  await house.pool.query(`UPDATE sign_in_failures SET blocked_until = blocked_until - ${by}, updated_at = updated_at - ${by}`, [seconds])
}

/** Guesses wrong until the next attempt must wait for 16 seconds, long enough for any test to see it. */
export async function failUntilSlow(api: RunningApi, guess: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; attempt < 14; attempt += 1) {
    await passTime(api, 10)
    await guess()
  }
}

/** Forgets every failed sign-in, so that one test's guesses do not count in the next. */
export async function forgetFailures({ house }: RunningApi): Promise<void> {
  await house.pool.query('DELETE FROM sign_in_failures')
}
