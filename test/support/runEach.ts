import { expect } from 'vitest'
import type { EachContext } from '../../src/query/command.ts'
import { settleAll } from '../../src/query/later.ts'
import type { Outside } from '../../src/query/outside.ts'
import { parseQuery } from '../../src/query/plan.ts'
import type { Row } from '../../src/query/rows.ts'
import { rowLookup, timeLookup } from '../../src/query/run.ts'
import { collectRows } from '../../src/query/stream.ts'
import { openOutside } from './outside.ts'

/** What one run of an expanding command is given. */
export interface EachRun {
  readonly row?: Row
  readonly outside?: Outside
  readonly signal?: AbortSignal
  /** Values of tokens such as `CREDENTIALS.name`. */
  readonly tokens?: Readonly<Record<string, string>>
}

/** Runs a single expanding command for one row. */
export async function runEach(text: string, { row = {}, outside = openOutside(), signal = AbortSignal.timeout(15_000), tokens = {} }: EachRun = {}): Promise<{ rows: Row[]; warnings: string[] }> {
  const { stages, faults } = parseQuery(text)
  expect(faults, text).toEqual([])
  const [stage] = stages
  if (!stage?.command.each) throw new Error(`${text} is not one expanding command`)
  const warnings: string[] = []
  const warn = (message: string): void => void warnings.push(message)
  const missing = (token: string) => (Object.hasOwn(tokens, token) ? (tokens[token] ?? null) : null)
  const context: EachContext = { lookup: rowLookup(row, { lookup: timeLookup(Date.now, missing), warn }), warn, signal, stop: signal, outside }
  const call = { args: settleAll(stage.args, context.lookup), flags: settleAll(stage.flags, context.lookup), context }
  const made = stage.command.each(row, call as never) // the parser read them with this command's own parameters
  return { rows: made instanceof Promise ? await made : await collectRows(made), warnings }
}
