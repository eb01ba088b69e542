import pg from 'pg'
import { readEnv, SettingsError, type Env } from '../src/platform/env.ts'
import { redact } from '../src/platform/logger.ts'
import { verifyChain, type ChainReport } from '../src/services/audit.ts'
import { findPrivatePostgres } from './up/privatePostgres.ts'
import { reasonOf, StartError } from './up/startError.ts'

/** Exit code of a chain that is broken, told apart from a check that could not be made. */
const broken = 1
const notChecked = 2

/** `npm run audit:verify`: checks the audit log of the installation that the settings name, also while it runs. */
async function main(): Promise<number> {
  const report = await verify(await findDatabase(readEnv()))
  process.stdout.write(`${describe(report)}\n`)
  return report.ok ? 0 : broken
}

async function findDatabase({ databaseUrl, dataDir }: Env): Promise<string> {
  const url = databaseUrl ?? (await findPrivatePostgres(dataDir))
  if (url !== null) return url
  throw new StartError(
    `There is no database yet: DATABASE_URL is not set, and nothing was ever started in ${dataDir}. ` +
      'Set DATABASE_URL or DATA_DIR to those of the installation.',
  )
}

async function verify(url: string): Promise<ChainReport> {
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 5_000, application_name: 'quern audit' })
  pool.on('error', () => undefined)
  try {
    return await verifyChain(pool)
  } catch (error) {
    throw new StartError(
      `The audit log at ${redact(url)} cannot be read: ${redact(reasonOf(error))}. ` +
        'A private database runs only while the service does: start it with `npm start` and repeat this beside it.',
    )
  } finally {
    await pool.end()
  }
}

function describe({ ok, entries, brokenAt, head }: ChainReport): string {
  const intact = `${counted(entries)}${head ? `, the last one is number ${head.seq} with the hash ${head.hash}` : ''}`
  if (ok) return `The audit log is intact: ${intact}. Note the hash: only a note elsewhere can show later that the end was cut off.`
  return (
    `The audit log is broken at number ${brokenAt}: that entry was changed, or the one before it is gone. ` +
    `What comes before it is intact: ${intact}. Compare the table audit_log with a backup.`
  )
}

const counted = (entries: number): string => `${entries} ${entries === 1 ? 'entry' : 'entries'}`

try {
  process.exitCode = await main()
} catch (error) {
  const expected = error instanceof StartError || error instanceof SettingsError
  process.stderr.write(`${expected ? error.message : redact(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`)
  process.exitCode = notChecked
}
