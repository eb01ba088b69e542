import { Readable } from 'node:stream'
import { maxSessionBytes, type SessionDraft } from '../../contract/krull/pages.ts'
import type { BrowserJobAccepted, ScreenshotCaptured } from '../../contract/krull/replies.ts'
import type { AnswerOf } from '../../contract/define.ts'
import type { Operations } from '../../contract/index.ts'
import { tooManyBytes } from '../../platform/arrival.ts'
import { Problem } from '../../platform/errors.ts'
import { checkDraft, type CheckedOptions } from '../../query/browser/checkDraft.ts'
import { Accepted, Download, type Handler, type HandlersOf, type Request, type RequestFacts } from '../handler.ts'
import type { House } from '../house.ts'
import { readImage } from '../screenshot/store.ts'
import { browserBacklogOf } from '../sirp/engine/backlog.ts'
import { storeBrowserJob } from './jobStore.ts'
import { answerOf, isOver, readBrowserJob, seenEnd, type SeenJob } from './jobWaits.ts'
import { linkOf } from './links.ts'
import type { BrowserOperation } from './tasks.ts'

type Answering = Exclude<BrowserOperation, 'krull.screenshot.stream'>

/** What a job may need beyond its own time, such as waiting for a free worker. */
const queueMs = 60_000

/** The operations that a browser carries out: each is a job, and its request waits for it unless it prefers not to. */
export function pageHandlers(house: House): HandlersOf<BrowserOperation> {
  const run: <Id extends Answering>(request: Request<Id>) => ReturnType<Handler<Id>> = (request) => runJob(house, request) as never // the worker answers as the operation's schema says
  return {
    'krull.expression.evaluate': run,
    'krull.page.requests': run,
    'krull.page.evaluate': run,
    'krull.page.selector': run,
    'krull.page.session': async (request) => {
      checkSize(request.body)
      return run(request)
    },
    'krull.page.screenshot': run,
    'krull.page.form': run,
    'krull.screenshot.stream': (request) => streamScreenshot(house, request),
    'browser.expression.evaluate': run,
    'browser.page.requests': run,
    'browser.page.evaluate': run,
    'browser.page.selector': run,
    'browser.page.screenshot': run,
    'browser.page.form': run,
  }
}

async function runJob<Id extends Answering>(house: House, request: Request<Id>): Promise<AnswerOf<Operations[Id]> | Accepted<BrowserJobAccepted>> {
  const id = await startJob(house, request, request.body, true)
  const { async, waitS } = request.prefer
  if (async) return accepted(id, await readBrowserJob(house, id))
  const waitMs = waitS === undefined ? longestWaitMs(house) : waitS * 1000
  const seen = await seenEnd(house, id, waitMs, request.upload)
  if (waitS !== undefined && seen && !isOver(seen)) return accepted(id, seen)
  return answerOf(house, id, seen, waitMs) as AnswerOf<Operations[Id]> // the worker answers as the operation's schema says
}

function checkSize({ expression }: SessionDraft): void {
  const bytes = [expression].flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  if (bytes > maxSessionBytes) throw tooManyBytes(maxSessionBytes, 'expressions of a session')
}

const longestWaitMs = ({ env }: House): number => env.browserJobMs + queueMs

/** Stores the job of a request; a repeat of the same idempotent request finds the first one. */
async function startJob(house: House, request: RequestFacts, draft: CheckedOptions, audited: boolean): Promise<string> {
  checkDraft(draft)
  const { newId: id, caller, operation, requestId, repeatable } = request
  await browserBacklogOf(house).admit(caller.keyId)
  const stored = await storeBrowserJob(house, { id, operation, apiKeyId: caller.keyId, requestId, draft, audited })
  if (!stored && !repeatable) throw new Problem('conflict', `There is a job ${id} already; try again.`)
  return id
}

function accepted(id: string, seen: SeenJob | null): Accepted<BrowserJobAccepted> {
  if (!seen) throw new Problem('not_found', `The job ${id} was deleted before it could be answered.`)
  const status = seen.status as BrowserJobAccepted['status'] // the table allows no other
  return new Accepted({ id, status, operation: seen.operation, createdAt: seen.createdAt.toISOString(), links: { self: linkOf(id) } })
}

async function streamScreenshot(house: House, request: Request<'krull.screenshot.stream'>): Promise<Download> {
  const id = await startJob(house, request, request.query, false)
  const waitMs = longestWaitMs(house)
  const { screenshot } = answerOf(house, id, await seenEnd(house, id, waitMs, request.upload), waitMs) as ScreenshotCaptured // its task answers one
  const image = await readImage(house, screenshot.hash)
  if (!image) throw new Problem('not_found', 'The picture was removed before it could be answered.')
  return new Download(Readable.from([image.data]), `image/${image.type}`, { bytes: image.data.length, filename: `screenshot.${image.type}`, inline: true })
}
