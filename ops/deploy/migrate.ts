import { resolve } from 'node:path'
import { readEnv, SettingsError } from '../../src/platform/env.ts'
import { redact } from '../../src/platform/logger.ts'
import { migrate, MigrationError } from '../../src/platform/migrations.ts'
import { checkExternalDatabase, checkExternalRedis } from '../up/externalServers.ts'
import { reasonOf, StartError } from '../up/startError.ts'

/** Checks the servers of the settings and brings the database up to date, for whoever starts the processes without `npm start`. */
async function main(): Promise<void> {
  const { databaseUrl, redisUrl, masterKey } = readEnv()
  if (databaseUrl === undefined || redisUrl === undefined || masterKey === undefined) {
    throw new StartError('DATABASE_URL, REDIS_URL and MASTER_KEY must be set: all processes on all machines need the same ones.')
  }
  await checkExternalRedis(redisUrl)
  await checkExternalDatabase(databaseUrl)
  const applied = await migrate(databaseUrl, resolve('prisma/migrations'))
  process.stdout.write(applied.length > 0 ? `Migrated the database (${applied.join(', ')}).\n` : 'The database is up to date.\n')
}

try {
  await main()
} catch (error) {
  const expected = error instanceof StartError || error instanceof SettingsError || error instanceof MigrationError
  process.stderr.write(`${expected ? error.message : `The database could not be migrated: ${redact(reasonOf(error))}.`}\n`)
  process.exitCode = 1
}
