import type { PageInfo } from '../../contract/krull/replies.ts'
import type { Screenshot } from '../../contract/screenshot/screenshots.ts'
import { rowOf } from '../dataRows.ts'
import type { Row } from '../rows.ts'

interface Captured {
  readonly screenshot?: Screenshot
  readonly cookieStorage?: unknown
  readonly localStorage?: unknown
  readonly sessionStorage?: unknown
}

/** The columns of what a browser captured beside its answer: cookies, storages and a picture. */
export function capturedCells({ screenshot, cookieStorage, localStorage, sessionStorage }: Captured): Row {
  const session = cookieStorage === undefined ? {} : { cookieStorage, localStorage, sessionStorage }
  return rowOf({ ...session, ...(screenshot ? { _screenshot: pictureOf(screenshot) } : {}) })
}

/** What a row says of a picture. */
export const pictureOf = ({ hash, type, width, height, bytes }: Screenshot): object => ({ hash, type, width, height, bytes })

/** The columns that say which page a row comes from. */
export const pageCells = ({ url, title, status }: PageInfo): Row => ({ '_page.url': url, '_page.title': title, '_page.status': status })
