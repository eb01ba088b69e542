import type { Report, Times } from './report.ts'

const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 })
const share = (part: number, all: number): string => `${number(all === 0 ? 0 : (part / all) * 100)} %`
const table = (head: readonly string[], rows: ReadonlyArray<readonly string[]>): string[] =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)

/** The report as text with Markdown tables, for a terminal or a page. */
export function printReport(report: Report): string {
  return [...describe(report), '', ...latencies(report), '', ...bars(report), ...outcomes(report), ...verdict(report), ''].join('\n')
}

function describe(report: Report): string[] {
  const { operation, url, rate, seconds, rampS, concurrency, arrived, notSent, accepted, turnedAway, failed, endedEarly } = report
  const ramp = rampS > 0 ? `, of these ${number(rampS)} s to get there` : ''
  return [
    `${operation} at ${url}`,
    `${number(rate)}/s for ${number(seconds)} s${ramp}; at most ${number(concurrency)} under way${endedEarly ? '; ended early' : ''}`,
    '',
    ...table(['requests', 'count', 'share'], [
      ['due', number(arrived), ''],
      ['accepted', number(accepted), share(accepted, arrived)],
      ['turned away (429, 503)', number(turnedAway), share(turnedAway, arrived)],
      ['failed', number(failed), share(failed, arrived)],
      ['not sent: too many under way', number(notSent), share(notSent, arrived)],
      ['accepted a second', number(report.acceptedPerSecond), ''],
    ]),
  ]
}

function latencies({ latencyMs, sendLagMs }: Report): string[] {
  const row = (name: string, { p50, p90, p95, p99, p999, max, mean }: Times): string[] =>
    [name, ...[p50, p90, p95, p99, p999, max, mean].map(number)]
  return table(['milliseconds', 'p50', 'p90', 'p95', 'p99', 'p99.9', 'max', 'mean'], [
    row('accepted, from when they were due', latencyMs),
    row('of that, until they were sent', sendLagMs),
  ])
}

const barWidth = 40

function bars({ histogram, accepted }: Report): string[] {
  const most = Math.max(...histogram.map(({ count }) => count))
  const label = (fromMs: number, toMs: number): string => `${number(fromMs)} – ${number(toMs)} ms`.padStart(20)
  return histogram.map(({ fromMs, toMs, count }) => {
    const bar = '█'.repeat(Math.ceil((count / most) * barWidth)).padEnd(barWidth)
    return `${label(fromMs, toMs)} ${bar} ${number(count)} (${share(count, accepted)})`
  })
}

function outcomes({ outcomes, arrived }: Report): string[] {
  const others = outcomes.filter(({ kind }) => kind !== 'accepted')
  if (others.length === 0) return []
  const rows = others.map(({ kind, label, count, retryAfter }) => {
    const missing = kind === 'turnedAway' ? count - (retryAfter?.answers ?? 0) : 0
    const comeAgain = [retryAfter && spanOf(retryAfter), missing > 0 ? `${number(missing)} without` : null].filter(Boolean).join(', ')
    return [label, kind === 'failed' ? 'failed' : 'turned away', number(count), share(count, arrived), comeAgain]
  })
  return ['', ...table(['answer', 'means', 'count', 'share', 'Retry-After'], rows)]
}

const spanOf = ({ leastS, mostS }: { leastS: number; mostS: number }): string =>
  leastS === mostS ? `${leastS} s` : `${leastS} to ${mostS} s`

function verdict({ verified }: Report): string[] {
  if (!verified) return []
  const states = Object.entries(verified.states).map(([state, count]) => `${number(count)} ${state}`)
  const words = [...states, `${number(verified.pending)} not ended yet`, `${number(verified.lost)} lost`].join(', ')
  return ['', `Of ${number(verified.asked)} accepted queries: ${words}.`]
}
