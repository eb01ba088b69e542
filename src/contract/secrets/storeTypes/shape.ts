import { Type, type Static, type TProperties, type TSchema } from 'typebox'
import { Closed, SecretText } from '../../schemas.ts'
import { Flag, Text } from '../fields.ts'
import { StoreName } from '../names.ts'
import type { TypeEntry } from '../typeRegistry.ts'

const throughput = Type.Optional(Type.Number({ exclusiveMinimum: 0, description: 'Rows per second at most; not limited when left out.' }))

const Tls = Closed(
  {
    enabled: Type.Boolean({ description: 'Whether the connection is encrypted; an address whose scheme says so is encrypted anyway.' }),
    ca: Type.Optional(Text('Certificates to trust instead of the public ones, in PEM.', { maxLength: 1_000_000 })),
    cert: Type.Optional(Text('Certificate to show to the other side, in PEM.', { maxLength: 100_000 })),
    key: Type.Optional(SecretText({ description: 'Private key of that certificate, in PEM.' })),
    passphrase: Type.Optional(SecretText({ description: 'Passphrase of that key.' })),
    serverName: Type.Optional(Text('Name that the certificate of the other side must have; its host when left out.')),
    rejectUnauthorized: Flag(true, 'Whether a certificate that cannot be verified ends the connection.'),
  },
  { description: 'How the connection is encrypted.', dependentRequired: { cert: ['key'], key: ['cert'] } },
)

const Processors = Type.Array(Type.String({ minLength: 1, maxLength: 1_048_576 }), {
  maxItems: 100,
  default: [],
  description: 'Query texts through which every batch passes, in this order, before it is delivered.',
})

/** The settings of a driver; every driver also knows `throughput`. */
export function Settings<const Fields extends TProperties>(fields: Fields, options: object = {}) {
  return Closed({ ...fields, throughput }, { description: 'Settings of the driver.', ...options })
}

/** The login of a driver; every driver also knows `tls`. */
export function Login<const Fields extends TProperties>(fields: Fields, options: object = {}) {
  return Closed(
    { ...fields, tls: Type.Optional(Tls) },
    { description: 'How the driver identifies itself, and how the connection is encrypted.', ...options },
  )
}

/** The whole config of a store; a part that needs no field is passed as optional. */
export function storeConfig<const Configuration extends TSchema, const Credentials extends TSchema>(
  configuration: Configuration,
  credentials: Credentials,
  options: object = {},
) {
  const store = Closed({ name: StoreName }, { description: 'What the store is called.' })
  return Closed({ store, configuration, processors: Type.Optional(Processors), credentials }, options)
}

type ConfigOf<Configuration extends TSchema, Credentials extends TSchema> = ReturnType<typeof storeConfig<Configuration, Credentials>>

interface Definition<Configuration extends TSchema, Credentials extends TSchema> {
  readonly title: string
  readonly summary: string
  readonly configuration: Configuration
  readonly credentials: Credentials
  readonly example: Static<ConfigOf<Configuration, Credentials>>
}

/** Declares one type of store. */
export function defineStoreType<const Configuration extends TSchema, const Credentials extends TSchema>(
  definition: Definition<Configuration, Credentials>,
): TypeEntry<ConfigOf<Configuration, Credentials>> {
  const { title, summary, configuration, credentials, example } = definition
  return { title, summary, schema: storeConfig(configuration, credentials, { examples: [example] }), example }
}
