import { createHash } from 'node:crypto'
import type pg from 'pg'
import { Problem } from '../../platform/errors.ts'

/** How many failures are free, and after how long a count starts over. */
interface Rule {
  readonly free: number
  readonly windowS: number
}

const userRule: Rule = { free: 10, windowS: 24 * 3600 }
const addressRule: Rule = { free: 100, windowS: 15 * 60 }

/** Longest wait between two attempts. */
const maxWaitS = 15 * 60

/** Somebody who tries to sign in. */
export interface SignInAttempt {
  readonly username: string
  readonly address: string
}

/**
 * Slows guessing down, by user and by address, for all processes alike: past the free failures each attempt doubles the wait for the next.
 * An attempt counts as failed before its password is compared, so that attempts at the same time cannot all pass as the first.
 */
export class SignInBackoff {
  readonly #pool: pg.Pool
  readonly #sweepEvery: number
  #untilSweep: number

  /** `sweepEvery` is how many attempts one process counts between two sweeps of rows that no rule looks at any more. */
  constructor(pool: pg.Pool, sweepEvery = 1000) {
    this.#pool = pool
    this.#sweepEvery = sweepEvery
    this.#untilSweep = sweepEvery
  }

  /** Refuses an attempt that must wait; counts nothing. */
  async refuseEarly(attempt: SignInAttempt): Promise<void> {
    const waitS = await this.#waitS(attempt)
    if (waitS > 0) throw tooEarly(waitS)
  }

  /** Counts an attempt as failed until it proves otherwise, or refuses it because it must wait. */
  async count(attempt: SignInAttempt): Promise<void> {
    await this.#sweepAtTimes()
    if (!(await this.#add(addressSubject(attempt), addressRule))) throw tooEarly(await this.#waitS(attempt))
    if (await this.#add(userSubject(attempt), userRule)) return
    await this.#takeBack(addressSubject(attempt))
    throw tooEarly(await this.#waitS(attempt))
  }

  /** The password was right: the user's count ends, and the address loses only this attempt, since others may sign in from there. */
  async forgive(attempt: SignInAttempt): Promise<void> {
    await this.#pool.query({ name: 'sign-in-forget', text: 'DELETE FROM sign_in_failures WHERE subject = $1', values: [userSubject(attempt)] })
    await this.#takeBack(addressSubject(attempt))
  }

  /** One statement checks and counts; its row lock puts attempts at the same time in order. */
  async #add(subject: string, { free, windowS }: Rule): Promise<boolean> {
    const { rowCount } = await this.#pool.query({ name: 'sign-in-count', text: countSql, values: [subject, free, windowS, maxWaitS] })
    return rowCount === 1
  }

  async #takeBack(subject: string): Promise<void> {
    await this.#pool.query({ name: 'sign-in-take-back', text: takeBackSql, values: [subject] })
  }

  async #waitS(attempt: SignInAttempt): Promise<number> {
    const values = [[userSubject(attempt), addressSubject(attempt)]]
    const { rows } = await this.#pool.query<{ wait_s: number | null }>({ name: 'sign-in-wait', text: waitSql, values })
    return rows[0]?.wait_s ?? 0
  }

  /** Guesses at names that nobody has would otherwise leave a row each, for ever. */
  async #sweepAtTimes(): Promise<void> {
    this.#untilSweep -= 1
    if (this.#untilSweep > 0) return
    this.#untilSweep = this.#sweepEvery
    await this.#pool.query(sweepSql, [userRule.windowS])
  }
}

/** `updated_at` is when the count began, so that a window is not pushed on by what happens in it. */
const countSql = `
  INSERT INTO sign_in_failures AS kept (subject, failures) VALUES ($1, 1)
  ON CONFLICT (subject) DO UPDATE SET (failures, blocked_until, updated_at) = (
    SELECT counted, now() + least($4, power(2, least(counted - $2, 30))) * CASE WHEN counted >= $2 THEN interval '1 second' END, since
    FROM (SELECT
      CASE WHEN over THEN 1 ELSE kept.failures + 1 END AS counted,
      CASE WHEN over THEN now() ELSE kept.updated_at END AS since
      FROM (SELECT kept.updated_at <= now() - $3 * interval '1 second' AS over) AS age) AS next)
  WHERE kept.blocked_until IS NULL OR kept.blocked_until <= now()`

const takeBackSql = 'UPDATE sign_in_failures SET failures = greatest(failures - 1, 0), blocked_until = NULL WHERE subject = $1'

const waitSql = `
  SELECT ceil(extract(epoch FROM max(blocked_until) - now()))::int AS wait_s
  FROM sign_in_failures WHERE subject = ANY($1) AND blocked_until > now()`

const sweepSql = `
  DELETE FROM sign_in_failures
  WHERE updated_at < now() - $1 * interval '1 second' AND (blocked_until IS NULL OR blocked_until < now())`

/** Names can be longer than an index entry, so the row is found by a digest. */
const userSubject = ({ username }: SignInAttempt): string => `user:${createHash('sha256').update(username).digest('hex')}`

const addressSubject = ({ address }: SignInAttempt): string => `addr:${address}`

function tooEarly(waitS: number): Problem {
  const retryAfterS = Math.max(1, waitS)
  return new Problem('too_many_attempts', `Too many attempts have failed for this user or from this address; try again in ${retryAfterS} s.`, { retryAfterS })
}
