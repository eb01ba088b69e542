import type { House } from '../house.ts'
import { ownSql, type ClaimedUnit } from '../sirp/engine/units.ts'
import { sealFlight, type KeptFlight } from './flights.ts'

/** How many failed runs of a stage keep their flight: the others seldom tell anything new. */
export const flightsPerStage = 20

/** Keeps the flights of some runs of a unit; answers which of them are kept. */
export async function storeRunFlights(house: House, unit: ClaimedUnit, flights: ReadonlyMap<number, KeptFlight>): Promise<Set<number>> {
  if (flights.size === 0) return new Set()
  const sealed = [...flights.values()].map((flight) => sealFlight(house.box, flight))
  const { queryId, stage, firstRow, fence } = unit
  const { rows } = await house.pool.query<{ index: number }>({
    name: 'flights-of-runs',
    text: storeSql,
    values: [queryId, stage, firstRow, fence, sealed.map(({ id }) => id), [...flights.keys()], sealed.map((one) => one.sealed), flightsPerStage],
  })
  return new Set(rows.map(({ index }) => index))
}

const storeSql = `
  WITH ${ownSql}
  INSERT INTO flights (id, query_id, stage, index, sealed)
  SELECT given.id, own.id, $2, given.index, given.sealed
  FROM own, unnest($5::uuid[], $6::integer[], $7::text[]) WITH ORDINALITY AS given(id, index, sealed, place)
  WHERE given.place + (SELECT count(*) FROM flights WHERE query_id = $1 AND stage = $2) <= $8::integer
  ON CONFLICT (query_id, stage, index) DO UPDATE SET id = excluded.id, sealed = excluded.sealed, created_at = now()
  RETURNING index`
