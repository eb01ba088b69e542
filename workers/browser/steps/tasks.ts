import type {
  ExpressionDraft, FormDraft, PageExpressionDraft, RequestsDraft, ScreenshotDraft, SelectorDraft, SessionDraft,
} from '../../../src/contract/krull/pages.ts'
import type {
  ElementsSelected, Evaluated, FormSubmitted, PageEvaluated, RequestsCaptured, ScreenshotCaptured, SessionCaptured,
} from '../../../src/contract/krull/replies.ts'
import { inAttempts, type TaskTools } from './attempts.ts'
import { captureSession, type KeptSession } from './captureSession.ts'
import { evaluate, type Scripting } from './expression.ts'
import { submitForm } from './form.ts'
import { load } from './load.ts'
import { describePage } from './pageInfo.ts'
import { captureRequests } from './requests.ts'
import { describePicture, takeScreenshot, type Picture } from './screenshot.ts'
import { select } from './selector.ts'
import { runSession } from './session.ts'
import type { Tab } from './tab.ts'

export type { TaskTools } from './attempts.ts'

/** The answer of a task, and the picture that it took, if it took one. */
export interface Done<Answer> {
  readonly answer: Answer
  readonly picture?: Picture
}

type Task<Draft, Answer> = (draft: Draft, tools: TaskTools) => Promise<Done<Answer>>

interface Tasks {
  readonly evaluate: Task<ExpressionDraft, Evaluated>
  readonly requests: Task<RequestsDraft, RequestsCaptured>
  readonly 'page.evaluate': Task<PageExpressionDraft, PageEvaluated>
  readonly 'page.selector': Task<SelectorDraft & Pick<ScreenshotDraft, 'viewportWidth' | 'viewportHeight' | 'background'>, ElementsSelected>
  readonly 'page.session': Task<SessionDraft, SessionCaptured>
  readonly 'page.screenshot': Task<ScreenshotDraft, ScreenshotCaptured>
  readonly 'page.form': Task<FormDraft, FormSubmitted>
}

export type TaskName = keyof Tasks

/** Every browser operation by the name of its task: from its body to its answer. */
export const tasks: Tasks = {
  evaluate: async (draft, tools) => {
    const { answer: result, attempts } = await inAttempts(tools, { offline: true }, (tab) => evaluate(tab, draft.expression, draft))
    return { answer: { result, attempts } }
  },
  requests: async (draft, tools) => {
    const { answer, attempts } = await inAttempts(tools, needOf(draft), (tab) => captureRequests(tab, draft))
    return { answer: { ...answer, attempts } }
  },
  'page.evaluate': async (draft, tools) => {
    const { answer: { picture, ...answer }, attempts } = await inAttempts(tools, needOf(draft), async (tab) => {
      const ms = await load(tab, draft)
      const result = await evaluate(tab, draft.expression, draft)
      return { result, ...(await besides(tab, draft)), page: await describePage(tab, ms) }
    })
    return { answer: { ...answer, attempts, ...shown(picture) }, ...(picture && { picture }) }
  },
  'page.selector': async (draft, tools) => {
    const { answer: { picture, ...answer }, attempts } = await inAttempts(tools, needOf(draft), async (tab) => {
      const ms = await load(tab, awaitingSelector(draft))
      const value = await prepare(tab, draft)
      return { ...(await select(tab, draft)), ...value, ...(await besides(tab, draft)), page: await describePage(tab, ms) }
    })
    return { answer: { ...answer, attempts, ...shown(picture) }, ...(picture && { picture }) }
  },
  'page.session': async (draft, tools) => {
    const { answer, attempts } = await inAttempts(tools, needOf(draft), (tab) => runSession(tab, draft))
    return { answer: { ...answer, attempts } }
  },
  'page.screenshot': async (draft, tools) => {
    const { answer: { picture, ...answer }, attempts } = await inAttempts(tools, needOf(draft), async (tab) => {
      const ms = await load(tab, awaitingSelector(draft))
      const value = await prepare(tab, draft)
      const picture = await takeScreenshot(tab, draft)
      return { picture, ...value, ...(await besides(tab, { session: draft.session })), page: await describePage(tab, ms) }
    })
    return { answer: { ...answer, attempts, screenshot: describePicture(picture) }, picture }
  },
  'page.form': async (draft, tools) => {
    const { answer, attempts } = await inAttempts(tools, needOf(draft), (tab) => submitForm(tab, draft))
    return { answer: { ...answer, attempts } }
  },
}

interface Besides {
  readonly session?: boolean | undefined
  readonly screenshot?: boolean | undefined
  readonly type?: Picture['type']
  readonly quality?: number
  readonly background?: string
}

/** What is captured beside the answer itself. */
async function besides(tab: Tab, { session, screenshot, type, quality, background }: Besides): Promise<Partial<KeptSession> & { picture?: Picture }> {
  const image = { ...(type && { type }), ...(quality !== undefined && { quality }), ...(background !== undefined && { background }) }
  const picture = screenshot === true ? { picture: await takeScreenshot(tab, image) } : {}
  return { ...(session === true ? await captureSession(tab) : {}), ...picture }
}

const shown = (picture: Picture | undefined): Pick<PageEvaluated, 'screenshot'> => (picture ? { screenshot: describePicture(picture) } : {})

/** Runs the expression that prepares a page, if there is one. */
async function prepare(tab: Tab, draft: Scripting & { readonly expression?: string }): Promise<{ result?: unknown }> {
  return draft.expression === undefined ? {} : { result: await evaluate(tab, draft.expression, draft) }
}

interface OwnNeed {
  readonly retry?: number
  readonly proxy?: string
}

const needOf = ({ retry, proxy }: OwnNeed): OwnNeed => ({ ...(retry !== undefined && { retry }), ...(proxy !== undefined && { proxy }) })

/** Whoever waits for something visible or hidden without saying what, means what is selected. */
function awaitingSelector<Draft extends Pick<ScreenshotDraft, 'wait' | 'visible' | 'hidden' | 'selector' | 'engine'>>(draft: Draft): Draft {
  const { wait, visible, hidden, selector, engine } = draft
  if (wait !== undefined || selector === undefined || engine === 'jquery' || (visible !== true && hidden !== true)) return draft
  return { ...draft, wait: [selector] }
}
