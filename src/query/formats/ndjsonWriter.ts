import type { Batch } from '../rows.ts'

/** Rows as newline-delimited JSON. */
export function ndjsonLines(batch: Batch): string {
  let text = ''
  for (const row of batch) text += `${JSON.stringify(row)}\n`
  return text
}
