import type { CellarPreview } from '../../../contract/sirp/cellarFiles.ts'
import { Problem } from '../../../platform/errors.ts'
import type { CellarFile as FileRow } from '../../../platform/prisma/generated/client.ts'
import { unfinishedBytes } from '../../../platform/utf8.ts'
import { readRows, surveyRows, type RowFormat } from '../../../query/formats/readRows.ts'
import type { Batch } from '../../../query/rows.ts'
import type { House } from '../../house.ts'
import { readHead } from './contents.ts'

const maxRows = 10
const maxTextChars = 2_000
/** A preview is made of no more than this, so that it costs the same for a file of any size. */
const sampleBytes = 2 ** 18
/** Flattened rows can be much larger than the bytes they came from. */
const maxRowsChars = 2 ** 20

/** The beginning of a file: its first rows where it has some, else its first characters, else nothing. */
export async function previewOf({ pool }: House, { format, contentId, bytes }: FileRow): Promise<CellarPreview> {
  if (format === 'binary') return null
  const sample = await readHead(pool, contentId, sampleBytes)
  const rows = isRowFormat(format) ? await firstRows(format, sample, sample.length === Number(bytes)) : undefined
  return rows ? { rows } : { text: firstCharacters(sample) }
}

/** Whether rows can be made of this format. */
export function isRowFormat(format: string): format is RowFormat {
  return format === 'json' || format === 'ndjson' || format === 'csv'
}

/** The first rows, or undefined where the sample shows none or is broken. */
async function firstRows(format: RowFormat, sample: Buffer, isWhole: boolean): Promise<Batch | undefined> {
  const rows: Batch = []
  try {
    await collectRows(rows, format, isWhole || format === 'json' ? sample : wholeLines(sample, format === 'csv'))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    // The end of a sample may be in the midst of a JSON text; then the rows before it are what is there.
    if (isWhole || format !== 'json' || rows.length === 0) return undefined
  }
  if (!isWhole && rows.length === 0) return undefined
  const first = rows.slice(0, maxRows)
  return JSON.stringify(first).length > maxRowsChars ? undefined : first
}

async function collectRows(rows: Batch, format: RowFormat, sample: Buffer): Promise<void> {
  const numbers = format === 'csv' ? (await surveyRows(format, () => once(sample))).numbers : undefined
  for await (const batch of readRows(format, once(sample), numbers)) {
    rows.push(...batch.slice(0, maxRows))
    if (rows.length >= maxRows) return
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

const [quote, lineFeed] = [0x22, 0x0a]

/** The bytes up to the last line break, in CSV up to the last one outside quotes. */
function wholeLines(bytes: Buffer, hasQuotes: boolean): Buffer {
  if (!hasQuotes) return bytes.subarray(0, bytes.lastIndexOf(lineFeed) + 1)
  let [end, quoted] = [0, false]
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === quote) quoted = !quoted
    else if (bytes[at] === lineFeed && !quoted) end = at + 1
  }
  return bytes.subarray(0, end)
}

function firstCharacters(sample: Buffer): string {
  const longest = sample.subarray(0, (maxTextChars + 1) * 4)
  const text = longest.subarray(0, longest.length - unfinishedBytes(longest)).toString().replace(/^\ufeff/, '')
  return Array.from(text).slice(0, maxTextChars).join('')
}
