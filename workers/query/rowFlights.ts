import type { House } from '../../src/services/house.ts'
import type { KeptFlight } from '../../src/services/krull/flights.ts'
import { storeRunFlights } from '../../src/services/krull/runFlights.ts'
import type { Browsing } from './engine.ts'
import type { RowOutcome } from './rowRun.ts'
import type { RanRow } from './ranRow.ts'
import type { UnitWork } from './unitWork.ts'

/** What the page of a run did before the run failed; null where it did not fail, or opened no page. */
export async function flightOf(work: UnitWork, { end }: RowOutcome, browsing: Browsing): Promise<KeptFlight | null> {
  return 'error' in end ? browsing.flight(end.error, (text) => work.secrets.hide(text)) : null
}

/** Keeps the flights of failed runs, and answers which runs have one; that it cannot be done is no failure of the unit. */
export async function keepFlights(house: House, work: UnitWork, ended: readonly RanRow[]): Promise<ReadonlySet<number>> {
  const flights = new Map(ended.flatMap(({ call, flight }) => (flight ? [[call.index, flight] as const] : [])))
  return storeRunFlights(house, work.unit, flights).catch((err: unknown) => {
    house.log.warn({ err, queryId: work.unit.queryId }, 'the flights of failed commands could not be kept')
    return new Set<number>()
  })
}
