import { Type, type Static, type TObject, type TProperties } from 'typebox'
import { Closed } from '../../schemas.ts'
import { CredentialName } from '../names.ts'
import type { TypeEntry } from '../typeRegistry.ts'

function credentialConfig<Credentials extends TObject>(credentials: Credentials, examples: readonly unknown[]) {
  const credential = Closed({ name: CredentialName }, { description: 'What the credential is called.' })
  return Closed({ credential, credentials }, { examples: [...examples] })
}

type ConfigOf<Credentials extends TObject> = ReturnType<typeof credentialConfig<Credentials>>

interface Definition<Credentials extends TObject> {
  readonly title: string
  readonly summary: string
  /** The fields under `credentials`, which has one key: the type. */
  readonly credentials: Credentials
  readonly example: Static<ConfigOf<Credentials>>
}

/** Declares one type of credential. */
export function defineCredentialType<const Credentials extends TObject>(
  definition: Definition<Credentials>,
): TypeEntry<ConfigOf<Credentials>> {
  const { title, summary, credentials, example } = definition
  return { title, summary, schema: credentialConfig(credentials, [example]), example }
}

/** The `credentials` of a config: the fields of a type under the name of that type. */
export function CredentialsOf<const Types extends TProperties>(types: Types) {
  return Closed(types, { description: 'The values, under the name of the type.' })
}

/** Scopes to ask for. */
export function Scopes(description: string, options: object = {}) {
  return Type.Array(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      pattern: '^\\S+$',
      explain: 'must be one scope without spaces; give several as several items',
    }),
    {
      maxItems: 100,
      description,
      ...options,
    },
  )
}
