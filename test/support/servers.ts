import { mkdtemp, mkdir, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startPrivatePostgres } from '../../ops/up/privatePostgres.ts'
import { startPrivateRedis } from '../../ops/up/privateRedis.ts'
import { migrate } from '../../src/platform/migrations.ts'
import { databaseUrlFor, templateDatabase } from './database.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
    redisUrl: string
  }
}

/** Starts one Redis and one PostgreSQL for the whole run, with a migrated database that test files clone. */
export default async function startServers(project: TestProject): Promise<() => Promise<void>> {
  await mkdir(resolve('.data'), { recursive: true })
  const dir = await mkdtemp(resolve('.data', 'test-'))
  const [postgres, redis] = await Promise.all([startPrivatePostgres({ dir }), startPrivateRedis({ dir })])
  await createTemplate(postgres.url)
  project.provide('postgresUrl', postgres.url)
  project.provide('redisUrl', redis.url)
  return async () => {
    await Promise.all([postgres.stop(), redis.stop()])
    await rm(dir, { recursive: true, force: true })
  }
}

async function createTemplate(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`CREATE DATABASE ${templateDatabase}`)
  await client.end()
  await migrate(databaseUrlFor(url, templateDatabase), resolve('prisma/migrations'))
}
