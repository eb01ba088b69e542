import { Problem } from '../../platform/errors.ts'
import type { OpenedCredential } from '../../query/outside.ts'
import type { House } from '../house.ts'

interface Stored {
  readonly id: string
  readonly type: string
  readonly sealed: string
  readonly version: number
}

/** A stored credential with its secrets in clear, for the worker that sends something with it. */
export async function openCredential({ pool, box }: House, name: string): Promise<OpenedCredential> {
  const { rows } = await pool.query<Stored>({ name: 'credential-open', text: 'SELECT id, type, sealed, version FROM credentials WHERE name = $1', values: [name] })
  const [stored] = rows
  if (!stored) throw new Problem('unprocessable', `There is no credential ${JSON.stringify(name)}: create it under /v1/secrets/credentials.`)
  const config = JSON.parse(box.open({ table: 'credentials', id: stored.id, field: 'sealed' }, stored.sealed)) as { credentials?: Record<string, unknown> }
  // Checked against the schema of its type when it was stored: the type names the part that holds its fields.
  const values = (config.credentials?.[stored.type] ?? {}) as Readonly<Record<string, unknown>>
  return { name, type: stored.type, values, version: stored.version }
}
