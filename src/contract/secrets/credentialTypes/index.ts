import type { Static } from 'typebox'
import { namesOf, type TypeRegistry } from '../typeRegistry.ts'
import { aws4 } from './aws4.ts'
import { custom } from './custom.ts'
import { gcp } from './gcp.ts'
import { oauth } from './oauth.ts'
import { okta } from './okta.ts'
import { openai } from './openai.ts'
import { pinecone } from './pinecone.ts'
import { splunk } from './splunk.ts'

/** Every type of credential: forms, validation, masking and the documentation read it. */
export const credentialTypes = { oauth, custom, aws4, splunk, openai, pinecone, okta, gcp } as const satisfies TypeRegistry

/** The name of a type of credential. */
export type CredentialType = keyof typeof credentialTypes

/** Names of the types of credentials. */
export const credentialTypeNames = namesOf(credentialTypes)

/** The `config` of a credential of this type. */
export type CredentialConfig<Type extends CredentialType> = Static<(typeof credentialTypes)[Type]['schema']>
