import { Type } from 'typebox'
import { Choice, Text } from '../fields.ts'
import { azureSettings } from './azure.ts'
import { AzureLogin } from './logins.ts'
import { Column } from './settings.ts'
import { defineStoreType, Settings } from './shape.ts'

/** A table of Azure Table Storage. */
export const azureTableStorage = defineStoreType({
  title: 'Azure Table Storage',
  summary: 'Writes every row as one entity of a table.',
  configuration: Settings({
    table: Text('Table to write to.', {
      pattern: '^[A-Za-z][A-Za-z0-9]{2,62}$',
      explain: 'must have 3 to 63 letters and digits, a letter first',
    }),
    partitionKeyColumn: Type.Optional(Column('Column whose value is the partition key; the name of the store when left out.')),
    rowKeyColumn: Type.Optional(Column('Column whose value is the row key; a hash of the row when left out.')),
    onExisting: Choice(['replace', 'merge'], 'replace', 'What happens to an entity that already has the keys.'),
    ...azureSettings,
  }),
  credentials: AzureLogin,
  example: {
    store: { name: 'entities' },
    configuration: { account: 'examplelake', table: 'prices', partitionKeyColumn: 'shop', rowKeyColumn: 'sku' },
    credentials: { accountKey: 'example-account-key' },
  },
})
