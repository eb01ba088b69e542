import { Type, type TString } from 'typebox'
import { FileName, Label } from '../schemas.ts'

function reserve(name: TString, words: readonly string[], description: string) {
  const explain = `must not be ${words.join(' or ')}: a route of the interface has that name; choose another one`
  return Type.With(name, { description, allOf: [{ not: { enum: [...words] }, explain }] })
}

/** The name that a credential is given: any label but those that are routes beside it. */
export const CredentialName = reserve(Label, ['schemas', 'oauth'], 'Name by which queries and routes refer to the credential.')

/** The name that a store is given: any file name but the one that is a route beside it. */
export const StoreName = reserve(FileName, ['schemas'], 'Name by which streams, manifests, queries and routes refer to the store.')
