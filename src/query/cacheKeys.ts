import { hash } from 'node:crypto'
import type { BoundStage } from './bind.ts'
import type { Row } from './rows.ts'
import { needsOf, readsUnknown, tokensOf, type Need } from './stageNeeds.ts'
import { labelsOf, referencesOf } from './stageReferences.ts'

/** Tells the version of a stored thing; a thing that is not there has one too, and null is for one of which nobody knows whether it is the one that was read. */
export type VersionOf = (need: Need) => string | null

/** Flags that change nothing about a stage's rows; a label decides which stage another one reads, which its key says by number. */
const idleFlags = new Set(['cache', 'labelStage', 'checkpoint', 'timeout', 'retry'])
/** Flags that change nothing about the rows that one run makes: what they ask for is done behind it. */
const stageFlags = new Set([...idleFlags, 'enrich', 'table', 'guid', 'appendStage', 'onError'])

/**
 * The key of each stage: a hash of everything that determines its rows, which is the plan up to it and the versions of what it reads.
 * Null from the first stage on whose rows must not be used again.
 */
export function stageKeys(stages: readonly BoundStage[], base: unknown, versionOf: VersionOf): (string | null)[] {
  const labels = labelsOf(stages)
  let key: string | null = digest(['rows', base ?? null])
  return stages.map((stage, index) => {
    const versions = key === null || !isCacheable(stage) ? null : versionsOf(stage, versionOf)
    key = versions && digest([key, contentOf(stage), referencesOf(stage, index, labels), versions])
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
  const written = isAmbiguous(stage) ? contentOf(stage) : null
  const versions = versionsOf(stage, versionOf)
  if (!versions) return null
  return ({ args, flags, row }) => digest(['command', name, args, sorted(flags, stageFlags), written, keepsRow ? row : null, versions])
}

/** Whether the filled values do not tell all: a mask hides which secret it stands for, and in an expression data would look like a name. */
function isAmbiguous(stage: BoundStage): boolean {
  if (tokensOf(stage).some((token) => token.startsWith('CREDENTIALS.'))) return true
  return [...stage.roles].some(([piece, { param }]) => piece.kind === 'value' && param?.type === 'expression' && piece.text.includes('$'))
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

/** The versions of all that a stage reads; null where one of them is not known. */
function versionsOf(stage: BoundStage, versionOf: VersionOf): unknown[][] | null {
  const versions = needsOf(stage).map((need) => [need.kind, need.name, versionOf(need)])
  return versions.some(([, , version]) => version === null) ? null : versions
}

const digest = (content: unknown): string => hash('sha256', JSON.stringify(content))
