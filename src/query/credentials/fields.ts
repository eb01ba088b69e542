import { credentialTypes, type CredentialConfig, type CredentialType } from '../../contract/secrets/credentialTypes/index.ts'
import { Problem } from '../../platform/errors.ts'
import type { EachContext } from '../command.ts'
import type { OpenedCredential } from '../outside.ts'

/** What using a credential needs of the world: token endpoints are asked through it. */
export type CredentialContext = Pick<EachContext, 'outside' | 'signal'>

/** The fields of a credential of this type. */
export type FieldsOf<Type extends CredentialType> = CredentialConfig<Type>['credentials'] extends infer All
  ? All[keyof All & Type]
  : never

/** The fields of a credential, which were checked against the schema of its type when it was stored. */
export function fieldsOf<Type extends CredentialType>({ values }: OpenedCredential, _type: Type): FieldsOf<Type> {
  return values as FieldsOf<Type>
}

/** The problem of a credential that cannot be used in this way. */
export function unusable({ name, type }: Pick<OpenedCredential, 'name' | 'type'>, reason: string): Problem {
  return new Problem('command_failed', `The ${type} credential ${JSON.stringify(name)} ${reason}.`)
}

/** The names of the fields that hold secrets, of all types. */
const secretNames: ReadonlySet<string> = new Set(
  Object.values(credentialTypes).flatMap(({ schema }) =>
    Object.values<{ properties: object }>(schema.properties.credentials.properties).flatMap(({ properties }) =>
      Object.entries(properties).flatMap(([name, field]: [string, object]) => ('secret' in field ? [name] : [])),
    ),
  ),
)

/** The secrets of a credential; its region, its addresses and its user names are none. */
export function secretsOf({ values }: Pick<OpenedCredential, 'values'>): string[] {
  const isSecret = (name: string, value: unknown): value is string => secretNames.has(name) && typeof value === 'string' && value !== ''
  return Object.entries(values).flatMap(([name, value]) => (isSecret(name, value) ? [value] : []))
}

/** A text with every secret of a credential taken out: what others answer may repeat what they were sent. */
export function withoutSecrets(text: string, credential: OpenedCredential): string {
  return secretsOf(credential).toSorted((one, other) => other.length - one.length).reduce((rest, secret) => rest.replaceAll(secret, '…'), text)
}
