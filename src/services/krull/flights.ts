import type { Flight } from '../../contract/krull/flight.ts'
import { newId } from '../../platform/ids.ts'
import type { SecretBox } from '../../platform/secretBox.ts'
import type { House } from '../house.ts'
import { readRecord } from '../sirp/engine/commandRecords.ts'

/** What a page did last, and a picture of it in PNG. */
export interface KeptFlight {
  readonly har: Flight
  readonly thumbnail: Buffer | null
}

/** A flight as its row keeps it. */
export interface SealedFlight {
  readonly id: string
  readonly sealed: string
}

const placeOf = (id: string) => ({ table: 'flights', id, field: 'sealed' })

/** Seals a flight for a row of its own. */
export function sealFlight(box: SecretBox, { har, thumbnail }: KeptFlight): SealedFlight {
  const id = newId()
  return { id, sealed: box.seal(placeOf(id), JSON.stringify({ har, thumbnail: thumbnail?.toString('base64') ?? null })) }
}

/** The flight of a browser job; null where none is kept. */
export async function readJobFlight(house: House, jobId: string): Promise<KeptFlight | null> {
  const text = 'SELECT id, sealed FROM flights WHERE job_id = $1'
  const { rows } = await house.pool.query<SealedFlight>({ name: 'flight-of-job', text, values: [jobId] })
  return rows[0] ? openFlight(house.box, rows[0]) : null
}

/** The flight of a run of a query's command; null where none is kept. */
export async function readRunFlight(house: House, queryId: string, stage: number, index: number): Promise<KeptFlight | null> {
  // A unit whose worker died may have left flights of runs that another worker then brought to an end.
  const record = await readRecord(house, queryId, stage, index)
  if (!record?.flight) return null
  const text = 'SELECT id, sealed FROM flights WHERE query_id = $1 AND stage = $2 AND index = $3'
  const { rows } = await house.pool.query<SealedFlight>({ name: 'flight-of-run', text, values: [queryId, stage, index] })
  return rows[0] ? openFlight(house.box, rows[0]) : null
}

function openFlight(box: SecretBox, { id, sealed }: SealedFlight): KeptFlight {
  const { har, thumbnail } = JSON.parse(box.open(placeOf(id), sealed)) as { har: Flight; thumbnail: string | null } // sealFlight sealed one
  return { har, thumbnail: thumbnail === null ? null : Buffer.from(thumbnail, 'base64') }
}
