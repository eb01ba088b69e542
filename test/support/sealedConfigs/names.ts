import { badLabels, badPathLabels, goodLabels } from '../labels.ts'
import type { SealedKind } from './records.ts'

/** Names that are routes beside the records. */
export const reservedNames = { credential: ['schemas', 'oauth'], store: ['schemas'] } as const

const goodFileNames = ['a', 'verify', 'Schemas', 'schemas 2', '..a', 'a..', '-', '_', 'a.b-c_d e', 'a'.repeat(1000)]

/** Names that a record of this kind may have. */
export const goodNames: Readonly<Record<SealedKind, readonly string[]>> = {
  credential: [...goodLabels(1000).filter((name) => name !== 'schemas'), 'Schemas', 'OAuth', 'schemas/aws4', 'oauth/mappings', '%', 'e\u0301'],
  store: goodFileNames,
}

/** What no name of this kind may be. */
export const badNames: Readonly<Record<SealedKind, readonly unknown[]>> = {
  credential: [...badLabels(1000), ...reservedNames.credential],
  store: [...badLabels(1000), ...reservedNames.store, 'a/b', 'a%2fb', 'ä', '😀', 'a\\b', 'a:b'],
}

/** Names in a path, as they are spelled there, that no name of this kind may be. */
export const badPathNames: Readonly<Record<SealedKind, readonly string[]>> = {
  credential: badPathLabels,
  store: [...badPathLabels, 'a%2fb', '%252f', '%c3%a4', '%f0%9f%98%80'],
}
