import { benchApi } from './api.ts'
import { benchBrowser } from './browser.ts'
import { benchDispatch } from './dispatch.ts'
import { benchHttp } from './http.ts'
import { benchOpen } from './open.ts'
import { benchPaging } from './paging.ts'
import { benchParse } from './parse.ts'
import { benchPolicy } from './policy.ts'
import { benchRows } from './rows.ts'
import { benchScale } from './scale.ts'
import { benchScreenshot } from './screenshot.ts'
import { printTable } from './table.ts'
import { benchWait } from './wait.ts'
import type { Bench } from './measure.ts'

/** Every benchmark by the word that runs it. */
const benches: Readonly<Record<string, Bench>> = {
  dispatch: benchDispatch,
  wait: benchWait,
  api: benchApi,
  rows: benchRows,
  paging: benchPaging,
  scale: benchScale,
  http: benchHttp,
  parse: benchParse,
  policy: benchPolicy,
  browser: benchBrowser,
  open: benchOpen,
  screenshot: benchScreenshot,
}

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const unknown = words.filter((word) => !Object.hasOwn(benches, word))
if (unknown.length > 0) {
  process.stderr.write(`There is no benchmark ${unknown.join(', ')}; there are: ${Object.keys(benches).join(', ')}.\n`)
  process.exit(1)
}

const chosen = words.length > 0 ? words : Object.keys(benches)
const results = []
for (const word of chosen) results.push(...((await benches[word]?.()) ?? []))
process.stdout.write(process.argv.includes('--json') ? `${JSON.stringify(results, null, 2)}\n` : printTable(results))
process.exit(results.every((result) => result.reached) ? 0 : 1)
