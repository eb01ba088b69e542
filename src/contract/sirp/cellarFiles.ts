import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { ByFileName, Closed, FileName, FormFile, ListOf, OneOf, Page, Stamps, Version } from '../schemas.ts'

/** What a cellar file holds: rows in one of three formats, text, or other bytes. */
export const cellarFormats = ['json', 'ndjson', 'csv', 'text', 'binary'] as const
export type CellarFormat = (typeof cellarFormats)[number]

/** A cellar file as it is uploaded in JSON; its content is text. */
export const CellarFileDraft = Closed({
  name: Closed({ value: FileName }),
  content: Closed({ value: Type.String({ description: 'The text of the file.' }) }),
})

/** A cellar file as it is answered, without its content. */
export const CellarFile = Type.Object({
  ...Stamps,
  version: Version,
  name: Type.String(),
  contentType: Type.String(),
  format: OneOf(cellarFormats, { description: 'Rows can be made of json, ndjson and csv.' }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ description: 'SHA-256 of the content, in hexadecimal.' }),
})
export type CellarFile = Static<typeof CellarFile>

/** A flat record; a pattern for its keys would pass over those with line breaks. */
const FlatRow = Type.Unsafe<Record<string, string | number | boolean | null>>({
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
})

/** The beginning of a file: its first rows, else its first characters, else nothing. */
export const CellarPreview = Type.Union([
  Type.Object({ rows: Type.Array(FlatRow) }),
  Type.Object({ text: Type.String() }),
  Type.Null(),
])
export type CellarPreview = Static<typeof CellarPreview>

/** What a file can be exported as. */
export const exportModes = ['csv', 'ndjson'] as const
export type ExportMode = (typeof exportModes)[number]

/** The operations on cellar files. */
export const cellarFiles = defineOperations({
  'sirp.cellarFile.list': {
    method: 'GET',
    path: '/v1/sirp/cellar/files',
    summary: 'Retrieve all cellar files',
    scope: 'cellar:read',
    query: Page,
    reply: { status: 200, body: ListOf(CellarFile) },
  },
  'sirp.cellarFile.upload': {
    method: 'POST',
    path: '/v1/sirp/cellar/files',
    summary: 'Upload a cellar file',
    description:
      'As JSON the content is text; as `multipart/form-data` it is any bytes: the field `name` and one file part, in any order. ' +
      'A file may have CELLAR_MAX_BYTES bytes; a larger one is a 413, and nothing of it is kept. ' +
      'Its format is told by the content type of the part, else by the ending of its name (.json, .ndjson, .csv), else by its content. ' +
      'A name that is taken is a 409, unless `replace=true` asks to replace that file whole; `If-Match` then replaces only the version that it names.',
    scope: 'cellar:write',
    query: Closed({ replace: Type.Optional(Type.Boolean({ default: false, description: 'Whether a file of this name is replaced.' })) }),
    body: CellarFileDraft,
    form: Closed({ name: FileName, content: FormFile }),
    reply: { status: 201, body: CellarFile, location: '/v1/sirp/cellar/files/:name' },
    example: { name: { value: 'prices.csv' }, content: { value: 'sku,price\nA-1,9.50\nB-2,12\n' } },
  },
  'sirp.cellarFile.read': {
    method: 'GET',
    path: '/v1/sirp/cellar/files/:name',
    summary: 'Retrieve a cellar file',
    description: 'Its record with a preview: up to ten rows with their nested fields flattened, else the first 2,000 characters, else null.',
    scope: 'cellar:read',
    params: ByFileName,
    reply: { status: 200, body: Type.Object({ ...CellarFile.properties, preview: CellarPreview }) },
  },
  'sirp.cellarFile.delete': {
    method: 'DELETE',
    path: '/v1/sirp/cellar/files/:name',
    summary: 'Delete a cellar file',
    description: 'Whoever is in the midst of reading it may read on for ten minutes.',
    scope: 'cellar:write',
    params: ByFileName,
    reply: { status: 204 },
  },
  'sirp.cellarFile.export': {
    method: 'GET',
    path: '/v1/sirp/cellar/files/:name/export/:mode',
    summary: 'Export a cellar file',
    description:
      'Its rows, with nested fields flattened. The whole file is checked first: one that cannot be read as rows is a 422 `unreadable_file` with the place of the fault. ' +
      'In CSV the columns stand in the order in which they first appear, and cells that a spreadsheet would run begin with an apostrophe.',
    scope: 'cellar:read',
    params: Closed({ name: FileName, mode: OneOf(exportModes) }),
    reply: { status: 200, stream: ['text/csv', 'application/x-ndjson'] },
  },
  'sirp.cellarFile.content': {
    method: 'GET',
    path: '/v1/sirp/cellar/files/:name/content',
    summary: 'Download a cellar file',
    description: 'The bytes as they were uploaded. Types that a browser would run, such as HTML and SVG, are sent as plain text or as bytes.',
    scope: 'cellar:read',
    origin: 'beyond',
    params: ByFileName,
    reply: { status: 200, stream: ['application/octet-stream', 'application/json', 'application/x-ndjson', 'text/csv', 'text/plain'] },
  },
})
