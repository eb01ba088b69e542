import { schedule } from 'node-cron'
import { isUnavailable } from '../../src/platform/prisma/failures.ts'
import { tick } from '../../src/services/almanac/tick.ts'
import type { House } from '../../src/services/house.ts'

/** Wakes every second to do what is due of the schedules; answers how to end it. */
export function startTicking(house: House): () => Promise<void> {
  const ending = new AbortController()
  let busy: Promise<unknown> = Promise.resolve()
  const wake = (): Promise<unknown> =>
    (busy = tick(house, ending.signal).catch((err: unknown) => house.log[isUnavailable(err) ? 'debug' : 'warn']({ err }, 'schedules were not looked after')))
  const task = schedule('* * * * * *', wake, { noOverlap: true, suppressMissedWarning: true, logger: quiet(house) })
  return async () => {
    ending.abort()
    await task.destroy()
    await busy
  }
}

/** A tick that comes late or not at all costs nothing: the next one finds all that is due. */
function quiet({ log }: House) {
  const note = (message: string | Error): void => {
    if (message instanceof Error) log.debug({ err: message }, 'the clock of the schedules')
    else log.debug(message)
  }
  return { info: note, warn: note, error: note, debug: note }
}
