import { hash, verify } from '@node-rs/argon2'
import { passwordBytes } from '../../contract/secrets/users.ts'
import { invalidField } from '../../platform/errors.ts'

/** Argon2id (algorithm 2) with 19 MiB, two passes and one lane: OWASP's parameters. */
const cost = { algorithm: 2, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const

/** The hash of random bytes that nobody kept, at the same cost: what the password of an unknown user is compared with. */
const hashOfNobody = '$argon2id$v=19$m=19456,t=2,p=1$jP3XPaqo9YTVXtMg/K6vJw$/7D+Iy5jasb80Oz1qWSCQM7WzKOKqwxLeTvfC9MQ7Lg'

/** The hash under which a password is stored, with a salt of its own. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, cost)
}

/** Whether a password is the one behind a stored hash; without a hash the answer is no, after the same work. */
export async function isPassword(password: string, storedHash: string | undefined): Promise<boolean> {
  const equal = await verify(storedHash ?? hashOfNobody, password)
  return equal && storedHash !== undefined
}

/** Refuses a password whose length in bytes is out of bounds; schemas count characters. */
export function checkPasswordBytes(path: string, password: string, min: number = passwordBytes.min): void {
  const bytes = Buffer.byteLength(password)
  if (bytes < min || bytes > passwordBytes.max) throw invalidField(path, `must have ${min} to ${passwordBytes.max} bytes in UTF-8`)
}
