import type { FileFormat } from '../outside.ts'

const byEnding: Readonly<Record<string, FileFormat>> = { ndjson: 'ndjson', jsonl: 'ndjson', json: 'json', csv: 'csv', parquet: 'parquet' }

/** The format that rows are frozen in: the one that is asked for, else the one that the file's ending tells, else newline-delimited JSON. */
export function frozenFormat(name: string, asked?: FileFormat): FileFormat {
  if (asked !== undefined) return asked
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return (name.includes('.') && Object.hasOwn(byEnding, ending) ? byEnding[ending] : undefined) ?? 'ndjson'
}
