import type { Cookie } from '../../../src/contract/krull/options.ts'
import { readCookies } from './cookies.ts'
import { readStorages, type KeptStorages } from './storages.ts'
import type { Tab } from './tab.ts'

/** Cookies and storages of a page; what is captured can be set again. */
export interface KeptSession extends KeptStorages {
  readonly cookieStorage: Record<string, Cookie>
}

/** Captures the cookies of the visit and both storages of its present page. */
export async function captureSession(tab: Tab): Promise<KeptSession> {
  const [cookieStorage, storages] = await Promise.all([readCookies(tab), readStorages(tab)])
  return { cookieStorage, ...storages }
}
