import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { ExpressionDraft, FormDraft, PageExpressionDraft, RequestsDraft, ScreenshotDraft, SelectorDraft, SessionDraft } from '../../contract/krull/pages.ts'
import { canvas, filter, loading, storages } from '../../contract/krull/options.ts'
import { Closed } from '../../contract/schemas.ts'
import { Problem } from '../../platform/errors.ts'
import type { EachContext } from '../command.ts'
import type { BrowserTask, BrowserTasks } from './tasks.ts'

/** Commands take every option that a page can be loaded with, also where the operation of the same name has none. */
const schemas: Readonly<Record<BrowserTask, TSchema>> = {
  evaluate: ExpressionDraft,
  requests: RequestsDraft,
  'page.evaluate': PageExpressionDraft,
  'page.selector': Closed({ ...SelectorDraft.properties, ...canvas, filter }),
  'page.session': SessionDraft,
  'page.screenshot': ScreenshotDraft,
  'page.form': Closed({ ...FormDraft.properties, ...storages, ...loading }),
}

const compiled = new Map<BrowserTask, ReturnType<typeof Compile>>()

/** Has a browser carry out a task; the values of flags are checked as those of the operation of the same name are. */
export async function browse<Name extends BrowserTask>(task: Name, draft: Record<string, unknown>, { outside, signal }: EachContext): Promise<BrowserTasks[Name]['answer']> {
  if (!outside.browse) throw new Problem('unavailable', 'This worker has no browser; start a browser process.')
  check(task, draft)
  return outside.browse(task, draft as unknown as BrowserTasks[Name]['draft'], signal) // it fits the schema of the task
}

function check(task: BrowserTask, draft: unknown): void {
  const schema = compiled.get(task) ?? Compile(schemas[task])
  compiled.set(task, schema)
  const [fault] = schema.Errors(draft)
  if (!fault) return
  const flag = fault.instancePath.split('/')[1]
  throw new Problem('unprocessable', `${flag ? `--${flag}` : 'An option'} cannot be used: it ${fault.message}.`)
}
