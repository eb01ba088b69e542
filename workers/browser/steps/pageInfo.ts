import type { PageInfo } from '../../../src/contract/krull/replies.ts'
import { bounds } from './bounds.ts'
import type { Tab } from './tab.ts'

const titleSource = `({ most }) => Object.getOwnPropertyDescriptor(Document.prototype, 'title').get.call(document).slice(0, most)`

/** What is said of the page that a visit has come to; `ms` is how long it took to load. */
export async function describePage(tab: Tab, ms: number): Promise<PageInfo> {
  const title = await tab.ask<string>(titleSource, { most: bounds.titleChars })
  return { url: tab.visit.page.url(), status: tab.documents.response?.status() ?? null, title, ms }
}
