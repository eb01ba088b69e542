import type pg from 'pg'
import { newId } from '../../../src/platform/ids.ts'
import type { CellarFormat } from '../../../src/contract/sirp/cellarFiles.ts'
import type { FileFormat } from '../../../src/query/outside.ts'
import { abandonedAfterMs, readersGraceMs, type Statements } from '../../../src/services/sirp/cellar/contents.ts'
import { keptType } from '../../../src/services/sirp/cellar/contentTypes.ts'
import type { StoredContent } from '../../../src/services/sirp/cellar/contentWriter.ts'
import { takenName } from '../../../src/services/sirp/cellar/keepFile.ts'
import { lockFile, type StoredFile } from './cellarFile.ts'
import type { CellarWriting } from './cellarWriting.ts'

/** On whose behalf files are written. */
export interface QueryFacts {
  readonly queryId: string
  readonly apiKeyId: string
  readonly requestId: string
}

/** Makes files of what a stage has written, with their audit entries, inside the transaction that ends the stage. */
export async function keepFrozen(client: pg.PoolClient, writings: readonly CellarWriting[], facts: QueryFacts): Promise<void> {
  const statements = inLine(client)
  // In one order for all, so that two stages that write the same files wait for each other and do not lock each other out.
  for (const name of [...new Set(writings.map((writing) => writing.name))].toSorted()) await lockName(statements, name)
  for (const writing of writings) await keepOne(statements, writing)
  // The lock of the audit log puts all writers in line, so it is taken last.
  for (const { name } of writings) await audit(statements, name, facts)
}

/** A connection that runs one statement after the other, whoever asks. */
function inLine(client: pg.PoolClient): Statements {
  let last: Promise<unknown> = Promise.resolve()
  return {
    query<Row extends pg.QueryResultRow>(statement: pg.QueryConfig) {
      const result = last.then(() => client.query<Row>(statement))
      last = result.catch(() => undefined)
      return result
    },
  }
}

async function keepOne(statements: Statements, writing: CellarWriting): Promise<void> {
  const there = await lockFile(statements, writing.name)
  const content = await writing.contentFor(statements, there)
  if (there) await replaceFile(statements, there, writing.format, content)
  else await createFile(statements, writing, content)
  for (const id of [there?.contentId, writing.waiting?.id, writing.leftOver(content)?.id]) if (id !== undefined) await release(statements, id)
}

/** The same lock that uploads take. */
async function lockName(statements: Statements, name: string): Promise<void> {
  await statements.query({ text: 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', values: [takenName(name)] })
}

async function createFile(statements: Statements, { name, format }: CellarWriting, content: StoredContent): Promise<void> {
  await statements.query({
    text: 'INSERT INTO cellar_files (id, name, content_id, content_type, format, bytes, sha256) VALUES ($1, $2, $3, $4, $5, $6, $7)',
    values: [newId(), name, ...columnsOf(format, content)],
  })
}

async function replaceFile(statements: Statements, { id }: StoredFile, format: FileFormat, content: StoredContent): Promise<void> {
  await statements.query({
    text: 'UPDATE cellar_files SET content_id = $2, content_type = $3, format = $4, bytes = $5, sha256 = $6, version = version + 1, updated_at = now() WHERE id = $1',
    values: [id, ...columnsOf(format, content)],
  })
}

function columnsOf(format: FileFormat, { id, bytes, sha256 }: StoredContent): unknown[] {
  const kept: CellarFormat = format === 'parquet' ? 'binary' : format
  return [id, keptType(format === 'parquet' ? 'application/vnd.apache.parquet' : undefined, kept), kept, bytes, sha256]
}

/** Gives up a content: it is made so old that it is removed when its readers have had their time. */
async function release(statements: Statements, contentId: string): Promise<void> {
  await statements.query({
    text: "UPDATE cellar_contents SET created_at = now() - $2 * interval '1 millisecond' WHERE id = $1",
    values: [contentId, abandonedAfterMs - readersGraceMs],
  })
}

/** The database numbers the entry and chains it to the one before. */
async function audit(statements: Statements, target: string, { apiKeyId, requestId }: QueryFacts): Promise<void> {
  await statements.query({
    text: "INSERT INTO audit_log (actor, operation, target, outcome, request_id, prev_hash, hash) VALUES ($1, 'sirp.query.dispatch', $2, 'done', $3, '', '')",
    values: [apiKeyId, target, requestId],
  })
}
