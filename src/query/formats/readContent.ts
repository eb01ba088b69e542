import { Problem } from '../../platform/errors.ts'
import { Utf8Gate } from '../../platform/utf8.ts'
import { withCells } from '../columns.ts'
import { flatten, UnfitRow, type Batch } from '../rows.ts'
import { collectRows, mapRows } from '../stream.ts'
import type { ContentFormat } from './contentFormat.ts'
import { readCsv, surveyCsv } from './csv.ts'
import type { Delimiter } from './csvRecords.ts'
import { readNdjson } from './ndjson.ts'
import { foreignGroup, parquetFile, readParquet } from './parquet.ts'
import { hold, piecesOf } from './peek.ts'
import { isPacked, tellContent, tellPlainJson, type About, type Content, type ToldContent, type Verdict } from './tellContent.ts'
import { Unpacking } from './unpacking.ts'
import { notUtf8, unreadable } from './unreadable.ts'
import { readAnyJson, rowsOfJson } from './wholeJson.ts'
import { parseXml } from './xml.ts'
import { readZip } from './zip.ts'

/** Most bytes that become a single cell. */
const maxCellBytes = 32 * 2 ** 20

/** Rows of content in any format that is known here; packed content is read by what is in it. Broken content is a `Problem` target_unreadable. */
export async function* readContent(content: Content, unpacking: Unpacking = Unpacking.begin()): AsyncGenerator<Batch> {
  const told = await tellContent(content)
  try {
    const rows = readers[told.format](told, content, unpacking)
    yield* content.file === undefined || isPacked(told.format) ? rows : inFile(rows, content.file)
  } catch (error) {
    throw explain(error, content, told)
  }
}

/** The same for content that is all there. */
export function readHeld(bytes: Buffer, about: About): Batch | Promise<Batch> {
  const said = tellPlainJson(bytes, about)
  if (!said) return collectRows(readContent({ ...about, bytes: piecesOf([bytes]) }))
  try {
    return rowsOfJson(bytes)
  } catch (error) {
    throw explain(error, about, said)
  }
}

/** Says in every row in which file it was. */
const inFile = (rows: AsyncIterable<Batch>, _file: string): AsyncIterable<Batch> => mapRows(rows, (row) => withCells(row, { _file }))

type Reader = (told: ToldContent, content: Content, unpacking: Unpacking) => AsyncIterable<Batch>

const readers: Readonly<Record<ContentFormat, Reader>> = {
  json: ({ bytes }) => readAnyJson(bytes),
  ndjson: ({ bytes }) => readNdjson(bytes),
  xml: ({ bytes }) => readXml(bytes),
  csv: ({ bytes }) => readWholeCsv(bytes, ','),
  tsv: ({ bytes }) => readWholeCsv(bytes, '\t'),
  parquet: ({ bytes }) => readWholeParquet(bytes),
  zip: readFiles,
  gzip: readGzip,
  text: ({ bytes }) => readText(bytes),
  raw: ({ bytes }, { contentType = '' }) => readRaw(bytes, contentType),
}

/** Only the whole of a column tells whether it holds nothing but numbers, so the text is read twice. */
async function* readWholeCsv(bytes: AsyncIterable<Buffer>, delimiter: Delimiter): AsyncGenerator<Batch> {
  const pieces = await hold(bytes)
  const { numbers } = await surveyCsv(piecesOf(pieces), delimiter)
  yield* readCsv(piecesOf(pieces), numbers, delimiter)
}

async function* readXml(bytes: AsyncIterable<Buffer>): AsyncGenerator<Batch> {
  const gate = new Utf8Gate(notUtf8)
  const text = gate.take(Buffer.concat(await hold(bytes))).toString()
  gate.end()
  try {
    yield [flatten(parseXml(text))]
  } catch (error) {
    throw error instanceof UnfitRow ? unreadable(`the document ${error.message}`) : error
  }
}

async function* readWholeParquet(bytes: AsyncIterable<Buffer>): AsyncGenerator<Batch> {
  yield* readParquet(parquetFile(Buffer.concat(await hold(bytes))), foreignGroup)
}

async function* readText(bytes: AsyncIterable<Buffer>): AsyncGenerator<Batch> {
  const text = Buffer.concat(await hold(bytes, maxCellBytes)).toString()
  yield [{ text: text.replace(/^\ufeff/, '') }]
}

async function* readRaw(bytes: AsyncIterable<Buffer>, contentType: string): AsyncGenerator<Batch> {
  const whole = Buffer.concat(await hold(bytes, maxCellBytes))
  yield [{ bytes: whole.toString('base64'), contentType: contentType === '' ? null : contentType, size: whole.length }]
}

async function* readGzip(told: ToldContent, { title, name = '', file, contentType }: Content, unpacking: Unpacking): AsyncGenerator<Batch> {
  const inner = unpacking.deeper()
  // A type that tells the format of what is inside tells its encoding as well.
  const type = told.inside && contentType !== undefined ? { contentType } : {}
  yield* readContent({ bytes: inner.gunzip(told.bytes), title, name: name.replace(/\.gz$/i, ''), file, verdict: told.inside, ...type }, inner)
}

/** The rows of all files of an archive, one file behind the other. */
async function* readFiles(told: ToldContent, { title, file: outer }: Content, unpacking: Unpacking): AsyncGenerator<Batch> {
  const inner = unpacking.deeper()
  for await (const { name, bytes } of readZip(Buffer.concat(await hold(told.bytes)), inner)) {
    const file = outer === undefined ? name : `${outer}/${name}`
    yield* readContent({ bytes, title: () => `the file ${name} in ${title()}`, name, file, verdict: told.inside }, inner)
  }
}

const titles: Readonly<Record<ContentFormat, string>> = {
  json: 'JSON', ndjson: 'newline-delimited JSON', xml: 'XML', csv: 'CSV', tsv: 'tab-separated values',
  parquet: 'Parquet', zip: 'ZIP', gzip: 'GZIP', text: 'text', raw: 'bytes',
}

function explain(error: unknown, { title }: About, { format, by }: Verdict): unknown {
  if (!(error instanceof Problem) || error.code !== 'unreadable_file') return error
  const named = title()
  const beginning = `${named.charAt(0).toUpperCase()}${named.slice(1)}`
  const detail = `${beginning} cannot be read as ${titles[format]}: ${error.message} It was read so because of ${by}; --serializer can force another way.`
  return new Problem('target_unreadable', detail, { extra: { ...error.options.extra, serializer: format }, cause: error })
}
