import { Type } from 'typebox'
import { FolderBelow, serialization } from './settings.ts'
import { defineStoreType, Login, Settings } from './shape.ts'

/** A folder of the machine that runs the export worker. */
export const localFile = defineStoreType({
  title: 'Local file',
  summary: 'Writes every batch of rows as a file below the folder that the operator of the service keeps for it.',
  configuration: Type.Optional(
    Settings({
      directory: Type.Optional(FolderBelow('Folder below the one of the operator; a folder with the name of the store when left out.')),
      ...serialization,
    }),
  ),
  credentials: Type.Optional(Login({})),
  example: { store: { name: 'exports' }, configuration: { directory: 'daily/prices', format: 'csv' } },
})
