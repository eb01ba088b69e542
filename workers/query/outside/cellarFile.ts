import type pg from 'pg'
import type { Statements } from '../../../src/services/sirp/cellar/contents.ts'

/** What is known of a file of the cellar. */
export interface StoredFile {
  readonly id: string
  readonly contentId: string
  readonly format: string
  readonly bytes: number
}

interface Columns {
  readonly id: string
  readonly content_id: string
  readonly format: string
  readonly bytes: string
}

const text = 'SELECT id, content_id, format, bytes FROM cellar_files WHERE name = $1'

/** The file of this name as it is now. */
export function findFile(statements: Statements, name: string): Promise<StoredFile | undefined> {
  return read(statements, { name: 'cellar-file-find', text, values: [name] })
}

/** The same, and nobody else can change it before the transaction ends. */
export function lockFile(statements: Statements, name: string): Promise<StoredFile | undefined> {
  return read(statements, { name: 'cellar-file-lock', text: `${text} FOR UPDATE`, values: [name] })
}

/** Whether a file has this content. */
export async function isHeld(statements: Statements, contentId: string): Promise<boolean> {
  const { rows } = await statements.query({ name: 'cellar-content-held', text: 'SELECT 1 FROM cellar_files WHERE content_id = $1', values: [contentId] })
  return rows.length > 0
}

async function read(statements: Statements, statement: pg.QueryConfig): Promise<StoredFile | undefined> {
  const { rows: [row] } = await statements.query<Columns>(statement)
  return row && { id: row.id, contentId: row.content_id, format: row.format, bytes: Number(row.bytes) }
}
