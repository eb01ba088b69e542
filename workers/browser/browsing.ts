import { isDeepStrictEqual } from 'node:util'
import type { BrowserTask } from '../../src/query/browser/tasks.ts'
import { checkDraft } from '../../src/query/browser/checkDraft.ts'
import type { Outside } from '../../src/query/outside.ts'
import type { House } from '../../src/services/house.ts'
import { flightsPerStage } from '../../src/services/krull/runFlights.ts'
import type { Browsing } from '../query/engine.ts'
import { FlightRecorder } from './flight/recorder.ts'
import type { Pool } from './pool.ts'
import { runTask } from './runTask.ts'
import { SharedPage } from './sharedPage.ts'

/** Tasks whose runs may follow each other in one page; the others show what a fresh visitor would see. */
const sharing: ReadonlySet<BrowserTask> = new Set<BrowserTask>(['page.selector', 'page.evaluate', 'page.screenshot'])

/** What may differ between runs that share a page: where it goes, and what is done there. */
const ownOptions = new Set(['url', 'selector', 'expression', 'args', 'html', 'hashtml', 'dimension', 'engine', 'wait', 'ready', 'type', 'quality', 'screenshot'])

/** Opens what the commands of one unit use of a browser. */
export function openBrowsing(house: House, pool: Pick<Pool, 'use'>): Browsing {
  const page = new SharedPage(pool)
  let options: unknown
  let recorder: FlightRecorder | null = null
  let flightsLeft = flightsPerStage
  const poolFor = (task: BrowserTask, draft: object): { pool: Pick<Pool, 'use'>; keepsPage: boolean } => {
    if (!sharing.has(task)) return { pool, keepsPage: false }
    const wanted = Object.fromEntries(Object.entries(draft).filter(([name]) => !ownOptions.has(name)))
    if (!isDeepStrictEqual(options, wanted)) page.leave()
    options = wanted
    return { pool: page, keepsPage: true }
  }
  return {
    with: (gate, deadlineMs): NonNullable<Outside['browse']> => (task, draft, signal) => {
      checkDraft(draft)
      recorder = flightsLeft > 0 ? FlightRecorder.for(draft) : null
      return runTask(task, draft, { house, gate, signal, deadlineMs, recorder, ...poolFor(task, draft) })
    },
    flight: async (problem, hide) => {
      flightsLeft -= 1
      return recorder?.take(problem, hide) ?? null
    },
    close: () => page.leave(),
  }
}
