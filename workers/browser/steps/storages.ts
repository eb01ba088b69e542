import { Problem } from '../../../src/platform/errors.ts'
import { bounds } from './bounds.ts'
import { worldName, type Tab } from './tab.ts'

/** Values for both storages, by key. */
export interface StorageValues {
  readonly localStorage?: Readonly<Record<string, unknown>>
  readonly sessionStorage?: Readonly<Record<string, unknown>>
}

/** Both storages as a page has them. */
export interface KeptStorages {
  readonly localStorage: Record<string, string>
  readonly sessionStorage: Record<string, string>
}

/** Runs before the first script of each document; only the host that the values are meant for, its parents and sub-domains get them. */
const fillSource = `({ host, stores }) => {
  const here = location.hostname
  if (window !== window.top || (here !== host && !here.endsWith('.' + host) && !host.endsWith('.' + here))) return
  for (const [name, entries] of stores) {
    try {
      const store = window[name]
      for (const [key, value] of entries) if (store.getItem(key) === null) store.setItem(key, value)
    } catch {}
  }
}`

const readSource = `({ most }) => {
  let left = most
  const read = (name) => {
    const found = []
    try {
      const store = window[name]
      for (let index = 0; index < store.length; index++) {
        const key = store.key(index)
        const value = store.getItem(key)
        left -= key.length + value.length
        if (left < 0) return found
        found.push([key, value])
      }
    } catch {}
    return found
  }
  return { local: read('localStorage'), session: read('sessionStorage'), over: left < 0 }
}`

/** Puts values into the storages of a page before its first script runs. The answer ends that: later loads find what the page left. */
export async function fillStorages({ session }: Tab, pageUrl: string, values: StorageValues): Promise<() => Promise<void>> {
  const { localStorage = {}, sessionStorage = {} } = values
  const stores = [['localStorage', entriesOf(localStorage)], ['sessionStorage', entriesOf(sessionStorage)]] as const
  if (stores.every(([, entries]) => entries.length === 0)) return () => Promise.resolve()
  const input = JSON.stringify(JSON.stringify({ host: new URL(pageUrl).hostname, stores }))
  await session.send('Page.enable')
  const source = `(${fillSource})(JSON.parse(${input}))`
  const { identifier } = await session.send('Page.addScriptToEvaluateOnNewDocument', { source, worldName })
  return () => session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier })
}

const entriesOf = (values: Readonly<Record<string, unknown>>): Entries =>
  Object.entries(values).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)])

type Entries = [string, string][]

/** What the source above answers. */
interface Read {
  readonly local: Entries
  readonly session: Entries
  readonly over: boolean
}

/** Reads both storages of the present page. */
export async function readStorages(tab: Tab): Promise<KeptStorages> {
  const { local, session, over } = await tab.ask<Read>(readSource, { most: bounds.storageChars })
  if (over) throw new Problem('target_too_large', `The storages of the page hold more than ${bounds.storageChars} characters.`)
  return { localStorage: Object.fromEntries(local), sessionStorage: Object.fromEntries(session) }
}
