import { Problem } from '../../src/platform/errors.ts'
import { isUnavailable } from '../../src/platform/prisma/failures.ts'
import type { BrowserTasks } from '../../src/query/browser/tasks.ts'
import type { JobFacts, Processor } from '../../src/queues/processor.ts'
import { governorOf } from '../../src/services/gonogo/governorOf.ts'
import type { House } from '../../src/services/house.ts'
import { claimBrowserJob, delayBrowserJob, giveBackBrowserJob, type ClaimedJob } from '../../src/services/krull/jobClaims.ts'
import { completeBrowserJob, failBrowserJob } from '../../src/services/krull/jobEnds.ts'
import { openDraft } from '../../src/services/krull/sealedJob.ts'
import { browserTaskOf, type BrowserOperation } from '../../src/services/krull/tasks.ts'
import { maxClaims } from '../../src/services/sirp/engine/bounds.ts'
import { shutdownReason } from '../lib/drain.ts'
import { withoutBlame } from '../lib/withoutBlame.ts'
import { Stopped, type Leases } from '../query/leases.ts'
import { MustWait } from '../query/mustWait.ts'
import { PolicyGate } from '../query/outside/policyGate.ts'
import { untilWritten } from '../query/untilWritten.ts'
import { FlightRecorder } from './flight/recorder.ts'
import type { Pool } from './pool.ts'
import { runTask } from './runTask.ts'

/** What browser jobs share. */
export interface BrowserHouse {
  readonly house: House
  readonly leases: Leases
  readonly pool: Pick<Pool, 'use'>
}

/** After how long a job asks again for a browser that does not start. */
const noBrowserMs = 1_000

/** Carries out one browser operation. */
export function browserJobProcessor(browsers: BrowserHouse): Processor<'browser.run'> {
  const { house, leases } = browsers
  return async ({ jobId }, { signal, log }) => {
    const job = await claimBrowserJob(house, jobId)
    if (!job) return
    const lease = leases.hold({ queryId: job.id, fence: job.fence, isBrowserJob: true }, signal)
    const flown: Flown = { recorder: null }
    try {
      const answer = await perform(browsers, job, lease.signal, flown)
      await untilWritten(lease.signal, async () => void (await completeBrowserJob(house, job, answer, answer.attempts)))
    } catch (error) {
      if (lease.signal.reason instanceof Stopped) return // it belongs to another, or to nobody
      await settle(house, job, signal.aborted && signal.reason === shutdownReason ? shutdownReason : error, flown, log)
    } finally {
      lease.release()
    }
  }
}

/** Who remembers what the page of a job did; nobody before there is one. */
interface Flown {
  recorder: FlightRecorder | null
}

async function perform({ house, pool }: BrowserHouse, job: ClaimedJob, signal: AbortSignal, flown: Flown): Promise<{ readonly attempts: number }> {
  if (job.claims > maxClaims) throw new Problem('poison', `The job ended the process of its worker ${maxClaims} times, and is not tried again.`)
  if (job.leftMs <= 0) throw late(house)
  if (!(job.operation in browserTaskOf)) throw new Problem('internal', `This version does not know the operation ${job.operation}.`)
  const task = browserTaskOf[job.operation as BrowserOperation] // it is a key of it, as was just seen
  const draft = openDraft(house.box, job) as BrowserTasks[typeof task]['draft'] // checked against the operation's schema before it was sealed
  const gate = new PolicyGate(governorOf(house), job.id)
  flown.recorder = FlightRecorder.for(draft)
  return runTask(task, draft, { house, gate, pool, signal, deadlineMs: job.leftMs, recorder: flown.recorder })
}

async function settle(house: House, job: ClaimedJob, error: unknown, { recorder }: Flown, log: JobFacts['log']): Promise<void> {
  if (error === shutdownReason) {
    await giveBackBrowserJob(house, job)
    throw new Error('the process ends')
  }
  if (isUnavailable(error)) {
    await withoutBlame(() => giveBackBrowserJob(house, job))
    throw error
  }
  const waitMs = error instanceof MustWait ? error.waitMs : error instanceof Problem && error.code === 'unavailable' ? noBrowserMs : null
  if (waitMs !== null && waitMs < job.leftMs) return delayBrowserJob(house, job, waitMs)
  const problem = problemOf(house, error, log)
  const flight = await recorder?.take(problem).catch((err: unknown) => log.warn({ err }, 'the flight of a browser job could not be kept'))
  await failBrowserJob(house, job, problem, flight ?? null)
}

function problemOf(house: House, error: unknown, log: JobFacts['log']): Problem {
  if (error instanceof Problem) return error
  if (error instanceof MustWait) return new Problem('job_timeout', `The policy of ${error.domain} does not let the job through within ${house.env.browserJobMs} ms.`)
  log.error({ err: error }, 'a browser job failed for a reason nobody thought of')
  return new Problem('internal', 'Something went wrong on our side; the log of the worker says what.')
}

const late = ({ env }: House): Problem => new Problem('job_timeout', `The job did not end within ${env.browserJobMs} ms. Give it more time, or ask for less.`)
