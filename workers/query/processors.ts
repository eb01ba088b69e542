import type { JobFacts, Processor } from '../../src/queues/processor.ts'
import { claimUnit, type UnitKey } from '../../src/services/sirp/engine/units.ts'
import { NotNow } from '../lib/notNow.ts'
import type { Engine } from './engine.ts'
import { runQuery } from './runQuery.ts'
import { runUnit } from './runUnit.ts'
import { countProcesses } from './shareUnits.ts'

/** Does the job of a query. */
export const queryProcessor = (engine: Engine): Processor<'query.run'> => ({ queryId }, facts) => takeOn(engine, queryId, facts)

/** Does the job of a unit, and of its query where it was the last one. */
export function unitProcessor(engine: Engine) {
  return async (key: UnitKey, facts: JobFacts): Promise<void> => {
    if (facts.attempt <= mostRefusals && (await hasHandsFull(engine))) throw new NotNow(refusedMs)
    const unit = await claimUnit(engine.house, key)
    if (unit ? await runUnit(engine, unit, facts) : drives(engine)) await takeOn(engine, key.queryId, facts)
  }
}

/**
 * Takes a query on as far as one job can: where it hands a stage over and has a unit of it for itself, where that was the last one,
 * and so on. A query of one request needs no other job.
 */
async function takeOn(engine: Engine, queryId: string, facts: JobFacts): Promise<void> {
  for (;;) {
    const unit = await runQuery(engine, queryId, facts)
    if (!unit || !(await runUnit(engine, unit, facts))) return
  }
}

/** Whether a process takes queries on; then a unit that is done may have left its query to the very job that was interrupted. */
const drives = ({ openBrowsing }: Engine): boolean => openBrowsing === undefined

/** How often a unit goes back into line because a process has its hands full, and for how long. */
const mostRefusals = 10
const refusedMs = 30

/** A process takes jobs faster than it works them off; what it can only let wait, another one may begin at once. */
async function hasHandsFull(engine: Engine): Promise<boolean> {
  return drives(engine) && engine.fetches.isCrowded && (await countProcesses(engine.house, 'query')) > 1
}
