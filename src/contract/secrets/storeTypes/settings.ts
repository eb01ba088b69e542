import { Type } from 'typebox'
import { needsWhen } from '../conditions.ts'
import { Choice, HttpUrl, Text } from '../fields.ts'

/** How long a driver waits for the other side. */
export const timeoutMs = Type.Optional(
  Type.Integer({ minimum: 100, maximum: 600_000, default: 30_000, description: 'Milliseconds to wait for a connection or an answer.' }),
)

/** A port of TCP. */
export function Port(usual: number) {
  return Type.Integer({ minimum: 1, maximum: 65_535, default: usual, description: 'Port of the server.' })
}

/** The name of a column of the rows. */
export function Column(description: string, options: object = {}) {
  return Type.String({ minLength: 1, maxLength: 1000, description, ...options })
}

/** How rows become the bytes of a file, an object or a request. */
export const serialization = {
  format: Choice(
    ['ndjson', 'json', 'csv', 'parquet'],
    'ndjson',
    'How rows are written unless a stream or query says otherwise: a JSON object a line, one JSON array, CSV with a header, or Parquet.',
  ),
  compression: Choice(['none', 'gzip'], 'none', 'How the bytes are compressed.'),
} as const

const segments = '[A-Za-z0-9_. \\-]+(?:/[A-Za-z0-9_. \\-]+)*$'
const noDots = '^(?!(?:.*/)?\\.{1,2}(?:/|$))'
const folderRules = 'folders out of A–Z a–z 0–9 - _ . and space with / between them, none of them . or ..'

/** A folder of another machine, from its root where it begins with a slash. */
export function Folder(description: string, options: object = {}) {
  return Text(description, { maxLength: 1000, pattern: `${noDots}/?${segments}`, explain: `must be ${folderRules}`, ...options })
}

/** A folder that can never lead out of the one that it is below. */
export function FolderBelow(description: string) {
  return Text(description, { maxLength: 1000, pattern: `${noDots}${segments}`, explain: `must be ${folderRules}, and no / at either end` })
}

/** What stands before the key of every object of a bucket or container. */
export const prefix = Type.Optional(
  Type.String({ maxLength: 500, default: '', description: 'Put before the key of every object, such as exports/.' }),
)

/** Another address than the one of the public cloud. */
export const endpoint = Type.Optional(HttpUrl('Address of a compatible service or an emulator, in place of the public cloud.'))

/** How rows meet those that a table or collection already has. */
export const writing = {
  mode: Choice(['insert', 'upsert'], 'insert', 'Whether rows are only added, or replace those with the same keys.'),
  keyColumns: Type.Optional(
    Type.Array(Column('A column.'), {
      minItems: 1,
      maxItems: 100,
      uniqueItems: true,
      description: 'Columns that together tell a row from all others; upsert needs them.',
    }),
  ),
} as const

/** Upserting without keys is refused. */
export const upsertNeedsKeys = { allOf: [needsWhen('mode', ['upsert'], ['keyColumns'])] } as const

/** The project of a resource of Google Cloud. */
export const ProjectId = Text('Project that holds the resource; the one of the service account when left out.')
