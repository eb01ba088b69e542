import type {
  ExpressionDraft, FormDraft, PageExpressionDraft, RequestsDraft, ScreenshotDraft, SelectorDraft, SessionDraft,
} from '../../contract/krull/pages.ts'
import type {
  ElementsSelected, Evaluated, FormSubmitted, PageEvaluated, RequestsCaptured, ScreenshotCaptured, SessionCaptured,
} from '../../contract/krull/replies.ts'

/** What a browser can be asked to do: each task with what it is given and what it answers. */
export interface BrowserTasks {
  readonly evaluate: { readonly draft: ExpressionDraft; readonly answer: Evaluated }
  readonly requests: { readonly draft: RequestsDraft; readonly answer: RequestsCaptured }
  readonly 'page.evaluate': { readonly draft: PageExpressionDraft; readonly answer: PageEvaluated }
  readonly 'page.selector': { readonly draft: SelectorDraft & Pick<PageExpressionDraft, 'filter'> & Pick<ScreenshotDraft, 'viewportWidth' | 'viewportHeight' | 'background'>; readonly answer: ElementsSelected }
  readonly 'page.session': { readonly draft: SessionDraft; readonly answer: SessionCaptured }
  readonly 'page.screenshot': { readonly draft: ScreenshotDraft; readonly answer: ScreenshotCaptured }
  readonly 'page.form': { readonly draft: FormDraft & Pick<ScreenshotDraft, 'device' | 'headers' | 'cookieStorage' | 'localStorage' | 'sessionStorage'>; readonly answer: FormSubmitted }
}

export type BrowserTask = keyof BrowserTasks
