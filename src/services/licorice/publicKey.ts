import type { KeyObject } from 'node:crypto'
import { readEd25519 } from '../../platform/ed25519.ts'
import { Problem } from '../../platform/errors.ts'

/** The key that licenses are signed with, out of its setting, which was checked when the process began. */
export function readPublicKey(setting: string | undefined): KeyObject {
  const key = setting === undefined ? null : readEd25519(setting)
  if (key) return key
  throw new Problem('license_invalid', 'No license can be checked here: set LICENSE_PUBLIC_KEY to the public key that licenses are signed with and start again.')
}
