import { newId } from '../../src/platform/ids.ts'
import { sealFlight, type KeptFlight } from '../../src/services/krull/flights.ts'
import { sealJob } from '../../src/services/krull/sealedJob.ts'
import type { RunningApi } from './api.ts'

/** A flight with one line, with or without a picture. */
export const flightWith = (thumbnail: Buffer | null): KeptFlight => ({
  har: {
    log: {
      version: '1.2',
      creator: { name: 'Quern', version: '0' },
      browser: { name: 'Chrome', version: '1' },
      pages: [],
      entries: [],
      _console: [{ at: new Date(0).toISOString(), level: 'log', text: 'last words' }],
      _error: { code: 'target_failed', detail: 'It failed.' },
    },
  },
  thumbnail,
})

/** Stores a browser job as it is after its end, or in any other state; failed unless told otherwise. */
export async function storeJob({ house }: RunningApi, more: object = {}): Promise<string> {
  const id = newId()
  const failed = { error: { code: 'target_failed', detail: 'It failed.' }, draft: { expression: '6 * 7' } }
  const sealed = sealJob(house.box, id, failed)
  const ended = { finishedAt: new Date(), expiresAt: new Date(Date.now() + 3_600_000) }
  await house.db.browserJob.create({ data: { id, operation: 'krull.expression.evaluate', requestId: 'r', sealed, status: 'failed', ...ended, ...more } })
  return id
}

/** Gives a stored job a flight. */
export async function storeJobFlight({ house }: RunningApi, jobId: string, thumbnail: Buffer | null): Promise<void> {
  await house.db.flight.create({ data: { jobId, ...sealFlight(house.box, flightWith(thumbnail)) } })
}
