import { hash } from 'node:crypto'
import type { BoundStage } from './bind.ts'
import type { Row } from './rows.ts'
import { needsOf, readsUnknown, tokensOf, type Need } from './stageNeeds.ts'

/** Tells the version of a stored thing; a thing that is not there has one too. */
export type VersionOf = (need: Need) => string

/** Flags that change nothing about a stage's rows. */
const idleFlags = new Set(['cache', 'labelStage', 'checkpoint', 'timeout', 'retry'])
/** Flags that change nothing about the rows that one run makes: what they ask for is done behind it. */
const stageFlags = new Set([...idleFlags, 'enrich', 'table', 'guid', 'appendStage', 'onError'])

/**
 * The key of each stage: a hash of everything that determines its rows, which is the plan up to it and the versions of what it reads.
 * Null from the first stage on whose rows must not be used again.
 */
export function stageKeys(stages: readonly BoundStage[], base: unknown, versionOf: VersionOf): (string | null)[] {
  let key: string | null = digest(['rows', base ?? null])
  return stages.map((stage) => {
    key = key === null || !isCacheable(stage) ? null : digest([key, contentOf(stage), versionsOf(stage, versionOf)])
    return key
  })
}

/** One run of an expanding command: its values as they were filled for one row, secrets masked. */
export interface FilledRun {
  readonly args: readonly unknown[]
  readonly flags: Readonly<Record<string, unknown>>
  readonly row: Row
}

/** Makes the keys of the runs of a stage: equal values make equal rows, whichever tokens they came from. Null where it must run afresh, as everything behind a stage that must. */
export function commandKeys(stage: BoundStage, before: readonly BoundStage[], versionOf: VersionOf): ((run: FilledRun) => string) | null {
  if (!isCacheable(stage) || !before.every(isCacheable)) return null
  const { name, keepsRow } = stage.command
  const masked = tokensOf(stage).some((token) => token.startsWith('CREDENTIALS.')) ? contentOf(stage) : null // a mask does not tell which secret it hides
  const versions = versionsOf(stage, versionOf)
  return ({ args, flags, row }) => digest(['command', name, args, sorted(flags, stageFlags), masked, keepsRow ? row : null, versions])
}

/** Whether the same input gives the same rows for a while. */
export function isCacheable(stage: BoundStage): boolean {
  const { command, flags, args } = stage
  if (command.neverCached || command.kind === 'sink' || flags['cache'] === false || flags['guid'] === true) return false
  if (command.name === 'sample' && flags['seed'] === undefined) return false
  if (command.name === 'api' && args['method'] !== 'get' && args['method'] !== 'head') return false
  if (readsUnknown(stage) || tokensOf(stage).some((token) => token.startsWith('TIMESTAMP'))) return false
  for (const [piece] of stage.roles) if (piece.kind === 'value' && /\bnow\s*\(/i.test(piece.text)) return false
  return true
}

function contentOf({ command, shownArgs, shownFlags }: BoundStage): unknown {
  return [command.name, shownArgs, sorted(shownFlags, idleFlags)]
}

function sorted(flags: Readonly<Record<string, unknown>>, without: ReadonlySet<string>): [string, unknown][] {
  return Object.entries(flags).filter(([name]) => !without.has(name)).toSorted(([a], [b]) => (a < b ? -1 : 1))
}

const versionsOf = (stage: BoundStage, versionOf: VersionOf): unknown => needsOf(stage).map((need) => [need.kind, need.name, versionOf(need)])

const digest = (content: unknown): string => hash('sha256', JSON.stringify(content))
