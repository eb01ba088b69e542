import { Type } from 'typebox'
import { SecretText } from '../../schemas.ts'
import { needsOneOf } from '../conditions.ts'
import { Flag, Text } from '../fields.ts'
import { timeoutMs, upsertNeedsKeys, writing } from './settings.ts'
import { defineStoreType, Login, Settings } from './shape.ts'

/** A table of Snowflake. */
export const snowflake = defineStoreType({
  title: 'Snowflake',
  summary: 'Writes rows to a table of a Snowflake database.',
  configuration: Settings(
    {
      account: Text('Account identifier, such as organization-account.', {
        pattern: '^[A-Za-z0-9._\\-]+$',
        explain: 'must be an account identifier, without https:// and .snowflakecomputing.com',
      }),
      database: Text('Database of the table.', { maxLength: 255 }),
      schema: Type.Optional(Text('Schema of the table.', { maxLength: 255, default: 'PUBLIC' })),
      table: Text('Table to write to.', { maxLength: 255 }),
      warehouse: Type.Optional(Text('Warehouse that does the work; the one of the user when left out.')),
      role: Type.Optional(Text('Role to work as; the one of the user when left out.')),
      createTable: Flag(false, 'Whether a missing table is made, with the columns of the first batch.'),
      ...writing,
      timeoutMs,
    },
    upsertNeedsKeys,
  ),
  credentials: Login(
    {
      username: Text('User name.'),
      password: Type.Optional(SecretText({ description: 'Password, or programmatic access token.' })),
      privateKey: Type.Optional(SecretText({ description: 'Private key in PEM, for key-pair authentication.' })),
      passphrase: Type.Optional(SecretText({ description: 'Passphrase of that key.' })),
    },
    { allOf: [needsOneOf(['password'], ['privateKey'])] },
  ),
  example: {
    store: { name: 'warehouse' },
    configuration: { account: 'example-shop', database: 'SHOP', table: 'PRICES', warehouse: 'LOAD' },
    credentials: { username: 'LOADER', privateKey: 'example-private-key' },
  },
})
