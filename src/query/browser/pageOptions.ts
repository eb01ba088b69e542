import type { Lookup } from '../expressions/compile.ts'
import type { expressionFlags, pageFlags } from '../browserFlags.ts'
import type { ValuesOf } from '../command.ts'
import type { Row } from '../rows.ts'

type PageFlags = ValuesOf<typeof pageFlags>
type ScriptFlags = ValuesOf<typeof expressionFlags>

/** How a page is loaded, as the flags say for a row; their shapes are checked together with the whole draft. */
export function pageOptions(flags: PageFlags, row: Row, lookup: Lookup): Record<string, unknown> {
  const { device, headers, cookieStorage, localStorage, sessionStorage, wait, ready, visible, hidden, polling, proxy } = flags
  return given({
    device,
    headers: headers?.(row, lookup),
    cookieStorage: cookieStorage?.(row, lookup),
    localStorage: localStorage?.(row, lookup),
    sessionStorage: sessionStorage?.(row, lookup),
    wait: wait.length === 0 ? undefined : wait.map((criterion) => countOf(criterion(row, lookup))),
    ready,
    visible,
    hidden,
    polling: polling === undefined ? undefined : countOf(polling),
    proxy: proxy?.(row, lookup) || undefined,
  })
}

/** What an expression is given, as the flags say for a row. */
export function scriptOptions({ args, jquery, lodash, mathjs }: ScriptFlags, row: Row, lookup: Lookup): Record<string, unknown> {
  return given({ args: args?.(row, lookup), jquery, lodash, mathjs })
}

/** Options without those that are not set. */
export const given = (options: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))

/** Milliseconds are written as the text that everything in a query is. */
const countOf = (text: string): number | string => (/^\d{1,10}$/.test(text) ? Number(text) : text)
