import { Readable } from 'node:stream'
import type { ExportMode } from '../../../contract/sirp/cellarFiles.ts'
import type { CellarFile as FileRow } from '../../../platform/prisma/generated/client.ts'
import { csvHeader, csvLines } from '../../../query/formats/csvWriter.ts'
import { ndjsonLines } from '../../../query/formats/ndjsonWriter.ts'
import { readRows, surveyRows, type OpenBytes, type RowFormat, type Survey } from '../../../query/formats/readRows.ts'
import { unreadable } from '../../../query/formats/unreadable.ts'
import { Download } from '../../handler.ts'
import type { House } from '../../house.ts'
import { inSlices, readContent } from './contents.ts'
import { isRowFormat } from './preview.ts'

const contentTypes: Readonly<Record<ExportMode, string>> = { csv: 'text/csv', ndjson: 'application/x-ndjson' }

/** Streams the rows of a file; it reads all of it first, so that a file that cannot be read is refused before anything is sent. */
export async function exportFile({ pool }: House, { name, format, contentId, bytes }: FileRow, mode: ExportMode): Promise<Download> {
  if (!isRowFormat(format)) throw unreadable(`the file is ${format}, and rows can be made of json, ndjson and csv only`)
  const open = (): AsyncIterable<Buffer> => inSlices(readContent(pool, contentId, Number(bytes)))
  const survey = await surveyRows(format, open, mode === 'csv')
  const stream = Readable.from(exportedText(format, open, survey, mode), { objectMode: false })
  return new Download(stream, contentTypes[mode], { filename: `${name.replace(/\.(?:json|ndjson|jsonl|csv)$/i, '')}.${mode}` })
}

async function* exportedText(format: RowFormat, open: OpenBytes, { columns, numbers }: Survey, mode: ExportMode): AsyncGenerator<string> {
  if (mode === 'csv') yield csvHeader(columns)
  for await (const batch of readRows(format, open(), numbers)) yield mode === 'csv' ? csvLines(columns, batch) : ndjsonLines(batch)
}
