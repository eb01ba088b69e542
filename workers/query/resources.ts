import type { BoundStage } from '../../src/query/bind.ts'
import type { VersionOf } from '../../src/query/cacheKeys.ts'
import { secretValueOf } from '../../src/query/credentials/secretValue.ts'
import type { Value } from '../../src/query/expressions/ast.ts'
import type { Lookup } from '../../src/query/expressions/compile.ts'
import { timeLookup } from '../../src/query/run.ts'
import { needOfToken, needsOf, tokensOf, type Need, type NeedKind } from '../../src/query/stageNeeds.ts'
import { Problem } from '../../src/platform/errors.ts'
import type { House } from '../../src/services/house.ts'
import { openCredential } from '../../src/services/secrets/openCredential.ts'
import type { UsedSecrets } from './outside/secrets.ts'

/** Where stored things lie: how a version is told, and what a token of theirs stands for. */
const tables: Readonly<Record<NeedKind, { readonly table: string; readonly version: string; readonly value: string }>> = {
  credential: { table: 'credentials', version: `id || ':' || version`, value: 'NULL' },
  store: { table: 'stores', version: `id || ':' || version`, value: 'NULL' },
  template: { table: 'templates', version: `id || ':' || version`, value: 'NULL' },
  cellar: { table: 'cellar_files', version: 'content_id::text', value: 'NULL' },
  prompt: { table: 'prompts', version: `id || ':' || version`, value: 'prompt' },
  checkpoint: { table: 'checkpoints', version: `id || ':' || version`, value: 'checkpoint' },
}

interface Found {
  readonly name: string
  readonly version: string
  readonly value: string | null
  /** Whether it has become what it is after the query had begun, whose first stages may have read it before. */
  readonly changed: boolean
}

/** The stored things that the stages of a query read, as they were when the job began. */
export class Resources {
  readonly #found: ReadonlyMap<string, Found>
  readonly #secrets: ReadonlyMap<string, string>

  constructor(found: ReadonlyMap<string, Found>, secrets: ReadonlyMap<string, string>) {
    this.#found = found
    this.#secrets = secrets
  }

  readonly versionOf: VersionOf = (need) => {
    const found = this.#found.get(keyOf(need))
    return found?.changed ? null : (found?.version ?? 'none')
  }

  /** What tokens stand for that no row has; `missing` hears of the others. Secrets only where the stage sends something out. */
  lookup(now: () => number, maySend: boolean, missing: (token: string) => Value): Lookup {
    return timeLookup(now, (token) => {
      const need = needOfToken(token)
      if (!need) return missing(token)
      if (need.kind === 'credential') return this.#secret(need.name, maySend)
      return this.#found.get(keyOf(need))?.value ?? ''
    })
  }

  /** Tells which secrets may be met in what comes back. */
  addSecretsTo(used: UsedSecrets): void {
    for (const secret of this.#secrets.values()) used.add(secret)
  }

  #secret(name: string, maySend: boolean): string {
    if (!maySend) throw new Problem('unprocessable', `$CREDENTIALS.${name}$ can stand only in commands that send something out.`)
    return this.#secrets.get(name) ?? ''
  }
}

/** Loads what these stages read, some of which have run already where a begun query is named; one look-up for each kind of thing. A missing credential or prompt is an error before anything is sent. */
export async function loadResources(house: House, stages: readonly BoundStage[], begun: string | null = null): Promise<Resources> {
  const needs = stages.flatMap(needsOf)
  const found = new Map<string, Found>()
  for (const kind of new Set(needs.map((need) => need.kind))) {
    const names = [...new Set(needs.filter((need) => need.kind === kind).map(({ name }) => name))]
    for (const row of await findNamed(house, kind, names, begun)) found.set(keyOf({ kind, name: row.name }), row)
  }
  const gone = needs.find((need) => (need.kind === 'credential' || need.kind === 'prompt') && !found.has(keyOf(need)))
  if (gone) throw new Problem('unprocessable', `There is no ${gone.kind} ${JSON.stringify(gone.name)} any more; create it and run the query again.`)
  return new Resources(found, await openSecrets(house, stages))
}

async function findNamed({ pool }: House, kind: NeedKind, names: readonly string[], begun: string | null): Promise<Found[]> {
  const { table, version, value } = tables[kind]
  const changed = 'coalesce(updated_at > (SELECT started_at FROM queries WHERE id = $2), false)'
  const text = `SELECT name, ${version} AS version, ${value} AS value, ${changed} AS changed FROM ${table} WHERE name = ANY($1)`
  return (await pool.query<Found>({ name: `needs-${kind}`, text, values: [names, begun] })).rows
}

/** Only what stands as a token is opened here; a credential that a flag names is opened by the command. */
async function openSecrets(house: House, stages: readonly BoundStage[]): Promise<Map<string, string>> {
  const names = new Set(stages.flatMap(tokensOf).map(needOfToken).flatMap((need) => (need?.kind === 'credential' ? [need.name] : [])))
  const secrets = new Map<string, string>()
  for (const name of names) secrets.set(name, secretValueOf(await openCredential(house, name)))
  return secrets
}

const keyOf = ({ kind, name }: Need): string => `${kind} ${name}`
