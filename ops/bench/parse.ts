import { estimateOf } from '../../src/query/estimate.ts'
import { parseQuery } from '../../src/query/plan.ts'
import { showStages } from '../../src/query/showPlan.ts'
import type { Bench, Measured } from './measure.ts'

const chars = 1_048_576
const mostMs = 100
const runs = 5

/** A text of 1 MiB: a part over and over between a beginning and an end. */
function repeated(part: string, begin = '', end = ''): string {
  return begin + part.repeat(Math.floor((chars - begin.length - end.length) / part.length)) + end
}

/** Parts with a number each, one behind the other. */
function numbered(count: number, part: (number: number) => string): string {
  return Array.from({ length: count }, (_, number) => part(number)).join('')
}

/** Texts of 1 MiB that are each the worst of their kind. */
const texts: Readonly<Record<string, string>> = {
  'one quoted value': repeated('x', "addcolumn a '", "'"),
  'escapes': repeated("\\'", "addcolumn a '", "'"),
  'tiny stages': repeated('count||', '', 'count'),
  'stages with flags': repeated('range 1 --guid --cache false || ', '', 'count'),
  'flags': repeated('--set a=1 ', 'form https://a.example --submit x '),
  'words': repeated('a ', 'table '),
  'tokens': repeated('$a$ ', "addcolumn a '", "'"),
  'an expression': repeated('n == 1 or ', 'filter "', 'n == 2"'),
  'JSON': repeated('{"a":1,"b":"x"},', "seed '[", "{}]'"),
  'lenient JSON': repeated('{a:1,b:"x"},', "seed '[", "{}]'"),
  'unknown commands': repeated('limt 1||', '', 'count'),
  'wrong arguments': repeated('limit x||', '', 'count'),
  'unknown flags': repeated('--x ', 'range 1 '),
  'values of a template': `runTemplate a ${numbered(50_000, (number) => `--template.a${number} 1 `)}`,
  'escaped tokens': repeated("$a$\\'", "addcolumn a '", "'"),
  'columns of --table': repeated('a ', 'range 1 --table "', '"'),
  'JSON in --table': repeated('{"a":1},', "range 1 --table '[", "{}]'"),
  'tokens in JSON': repeated('{a:"$a$ b"},', "seed '[", "{}]'"),
  'a pattern': repeated('a', "replace a '", "' b --regex"),
  'a replacement': repeated('$1 ', "replace a '(a)' '", "' --regex"),
  'conditions of case': repeated("'n < 2' small ", 'case size '),
  'aggregates': repeated('sum(a) ', 'stats '),
  'a plan of tiny stages': repeated('count                   ||', '', 'count'),
  'a plan with flags': repeated('open https://a.example --html --visible || ', '', 'count'),
}

/** Parses texts of 1 MiB, with their plan and estimate where they have no faults; the processor's time in the best of some runs, because the rest of a machine is not ours. */
export const benchParse: Bench = async () => Object.entries(texts).map(([kind, text]) => measured(kind, text))

function measured(kind: string, text: string): Measured {
  const value = Math.min(...Array.from({ length: runs }, () => timeOf(text)))
  return { what: `parse 1 MiB: ${kind}`, value, beside: 'the bound', raw: mostMs, unit: 'ms', ratio: value / mostMs, reach: '≤ 1', reached: value <= mostMs }
}

function timeOf(text: string): number {
  const begin = process.cpuUsage()
  const query = parseQuery(text)
  if (query.faults.length === 0) {
    showStages(query, true)
    estimateOf(query)
  }
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / 1_000
}
