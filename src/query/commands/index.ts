import type { AnyCommand } from '../command.ts'
import { addcolumn } from './addcolumn.ts'
import { api } from './api.ts'
import { append } from './append.ts'
import { auth } from './auth.ts'
import { avg } from './avg.ts'
import { caseCommand } from './case.ts'
import { contains } from './contains.ts'
import { count } from './count.ts'
import { crawl } from './crawl.ts'
import { csv } from './csv.ts'
import { dedupe } from './dedupe.ts'
import { devices } from './devices.ts'
import { diff } from './diff.ts'
import { evaluate } from './evaluate.ts'
import { excludes } from './excludes.ts'
import { extract } from './extract.ts'
import { feed } from './feed.ts'
import { fill } from './fill.ts'
import { filter } from './filter.ts'
import { find } from './find.ts'
import { flatten } from './flatten.ts'
import { form } from './form.ts'
import { freeze } from './freeze.ts'
import { graphql } from './graphql.ts'
import { groupBy } from './groupBy.ts'
import { hash } from './hash.ts'
import { head } from './head.ts'
import { html } from './html.ts'
import { join } from './join.ts'
import { json } from './json.ts'
import { limit } from './limit.ts'
import { lower } from './lower.ts'
import { mask } from './mask.ts'
import { math } from './math.ts'
import { max } from './max.ts'
import { min } from './min.ts'
import { normalize } from './normalize.ts'
import { notify } from './notify.ts'
import { oauth } from './oauth.ts'
import { open } from './open.ts'
import { parseTimestamp } from './parseTimestamp.ts'
import { prompt } from './prompt.ts'
import { queries } from './queries.ts'
import { range } from './range.ts'
import { rename } from './rename.ts'
import { replace } from './replace.ts'
import { requests } from './requests.ts'
import { runTemplate } from './runTemplate.ts'
import { sample } from './sample.ts'
import { screenshot } from './screenshot.ts'
import { seed } from './seed.ts'
import { sequence } from './sequence.ts'
import { session } from './session.ts'
import { sitemap } from './sitemap.ts'
import { soap } from './soap.ts'
import { sort } from './sort.ts'
import { split } from './split.ts'
import { stats } from './stats.ts'
import { sum } from './sum.ts'
import { summarize } from './summarize.ts'
import { table } from './table.ts'
import { tail } from './tail.ts'
import { thaw } from './thaw.ts'
import { timestamp } from './timestamp.ts'
import { top } from './top.ts'
import { transpose } from './transpose.ts'
import { trim } from './trim.ts'
import { untable } from './untable.ts'
import { upper } from './upper.ts'
import { urldecode } from './urldecode.ts'
import { urlencode } from './urlencode.ts'
import { urlparse } from './urlparse.ts'
import { xml } from './xml.ts'

/** Every command of the language: the parser, the hints, completion, decoration, the reference and the tests read this list. */
export const commands: readonly AnyCommand[] = [
  addcolumn,
  api,
  append,
  auth,
  avg,
  caseCommand,
  contains,
  count,
  crawl,
  csv,
  dedupe,
  devices,
  diff,
  evaluate,
  excludes,
  extract,
  feed,
  fill,
  filter,
  find,
  flatten,
  form,
  freeze,
  graphql,
  groupBy,
  hash,
  head,
  html,
  join,
  json,
  limit,
  lower,
  mask,
  math,
  max,
  min,
  normalize,
  notify,
  oauth,
  open,
  parseTimestamp,
  prompt,
  queries,
  range,
  rename,
  replace,
  requests,
  runTemplate,
  sample,
  screenshot,
  seed,
  sequence,
  session,
  sitemap,
  soap,
  sort,
  split,
  stats,
  sum,
  summarize,
  table,
  tail,
  thaw,
  timestamp,
  top,
  transpose,
  trim,
  untable,
  upper,
  urldecode,
  urlencode,
  urlparse,
  xml,
]

const byName = new Map(commands.flatMap((command) => [command.name, ...(command.aliases ?? [])].map((name) => [name.toLowerCase(), command] as const)))

/** The command of a name, without regard to case. */
export function findCommand(name: string): AnyCommand | undefined {
  return byName.get(name.toLowerCase())
}

/** Every name and alias, for hints and completion. */
export function knownNames(): string[] {
  return commands.flatMap(({ name, aliases = [] }) => [name, ...aliases])
}
