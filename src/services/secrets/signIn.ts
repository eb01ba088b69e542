import type { User as UserRow } from '../../platform/prisma/generated/client.ts'
import type { House } from '../house.ts'
import { HashingLine } from './hashingLine.ts'
import { hashPassword, isPassword } from './passwords.ts'
import { SignInBackoff, type SignInAttempt } from './signInBackoff.ts'

/** How an attempt ended; a user can be known and the password wrong. */
export interface SignInOutcome {
  readonly user: UserRow | null
  readonly right: boolean
}

/** Tells whether a username and a password belong together, at a pace that makes guessing useless. */
export class SignIn {
  readonly #house: House
  readonly #backoff: SignInBackoff
  readonly #line = new HashingLine()

  constructor(house: House) {
    this.#house = house
    this.#backoff = new SignInBackoff(house.pool)
  }

  /** Tries a password; refuses with 429 where the user or the address must wait. */
  async attempt(attempt: SignInAttempt, password: string): Promise<SignInOutcome> {
    // Asked before the line as well: those who must wait take no place from those who need not.
    await this.#backoff.refuseEarly(attempt)
    // Counted within the line: of many right passwords at once only those being compared count, and so none is taken for guessing.
    return this.#line.run(async () => {
      await this.#backoff.count(attempt)
      const user = await this.#house.db.user.findUnique({ where: { username: attempt.username } })
      const right = await isPassword(password, user?.passwordHash)
      if (right) await this.#backoff.forgive(attempt)
      return { user, right }
    })
  }

  /** The hash of a new password, made when its turn comes. */
  hashNew(password: string): Promise<string> {
    return this.#line.run(() => hashPassword(password))
  }
}
