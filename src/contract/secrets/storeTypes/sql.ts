import { Type } from 'typebox'
import { Flag, Text, Url } from '../fields.ts'
import { PasswordLogin } from './logins.ts'
import { timeoutMs, upsertNeedsKeys, writing } from './settings.ts'
import { defineStoreType, Settings } from './shape.ts'

/** A table of a relational database. */
export const sql = defineStoreType({
  title: 'SQL database',
  summary: 'Writes rows to a table of PostgreSQL, MySQL, MariaDB or SQL Server; the columns of a row are the columns of the table.',
  configuration: Settings(
    {
      url: Url(
        ['postgresql', 'postgres', 'mysql', 'mariadb', 'mssql'],
        'Address of the database: the scheme is the dialect, the path the database.',
      ),
      table: Text('Table to write to.', { maxLength: 128 }),
      schema: Type.Optional(Text('Schema of the table; the one that the user has by default when left out.', { maxLength: 128 })),
      createTable: Flag(false, 'Whether a missing table is made, with the columns of the first batch.'),
      ...writing,
      timeoutMs,
    },
    upsertNeedsKeys,
  ),
  credentials: Type.Optional(PasswordLogin),
  example: {
    store: { name: 'reporting' },
    configuration: { url: 'postgresql://db.example:5432/reports', table: 'prices', mode: 'upsert', keyColumns: ['shop', 'sku'] },
    credentials: { username: 'loader', password: 'example-password', tls: { enabled: true } },
  },
})
