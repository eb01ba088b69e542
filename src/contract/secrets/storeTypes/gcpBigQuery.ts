import { Type } from 'typebox'
import { Flag, Text } from '../fields.ts'
import { GcpLogin } from './logins.ts'
import { Column, endpoint, ProjectId, timeoutMs } from './settings.ts'
import { defineStoreType, Settings } from './shape.ts'

const identifier = {
  maxLength: 1024,
  pattern: '^[A-Za-z0-9_]+$',
  explain: 'must have 1 to 1024 characters out of A–Z a–z 0–9 and _',
} as const

/** A table of Google BigQuery. */
export const gcpBigQuery = defineStoreType({
  title: 'Google BigQuery',
  summary: 'Streams rows into a table.',
  configuration: Settings({
    dataset: Text('Dataset of the table.', identifier),
    table: Text('Table to write to.', { maxLength: 1024 }),
    projectId: Type.Optional(ProjectId),
    location: Type.Optional(Text('Location of the dataset; found by BigQuery when left out.')),
    idColumn: Type.Optional(Column('Column whose value tells duplicates; a hash of the row when left out.')),
    createTable: Flag(false, 'Whether a missing table is made, with the columns of the first batch.'),
    ignoreUnknownValues: Flag(false, 'Whether columns that the table lacks are dropped; they are errors otherwise.'),
    skipInvalidRows: Flag(false, 'Whether good rows are kept when others of the batch are refused.'),
    endpoint,
    timeoutMs,
  }),
  credentials: Type.Optional(GcpLogin),
  example: {
    store: { name: 'analytics' },
    configuration: { dataset: 'shop', table: 'prices', createTable: true },
    credentials: { serviceAccountKey: '{"type":"service_account","client_email":"loader@project.example","private_key":"example"}' },
  },
})
