import { logAxis, straightAxis, type Axis } from './axis.ts'
import type { Moment, Report } from './report.ts'

const [width, height, left, right] = [960, 600, 72, 936]
const latencyPanel = { top: 104, bottom: 320 }
const ratePanel = { top: 392, bottom: 544 }

const lines = [
  { name: 'p99', color: '#c2410c' },
  { name: 'p95', color: '#d19a2a' },
  { name: 'p50', color: '#2563a8' },
] as const

const areas = [
  { name: 'accepted', words: 'accepted', color: '#4d8f6f' },
  { name: 'turnedAway', words: 'turned away', color: '#e0b354' },
  { name: 'failed', words: 'failed', color: '#c2410c' },
] as const

/** Draws latency and rates over time as an SVG picture that needs nothing beside itself. */
export function drawPlot(report: Report): string {
  const times = straightAxis(Math.max(report.timeline.length, 1), left, right)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`,
    '  font-family="system-ui, sans-serif" font-size="13" fill="#3d4248">',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...drawTitle(report),
    ...drawLatency(report.timeline, times),
    ...drawRates(report.timeline, times),
    ...times.ticks.map((tick) => text(times.place(tick), ratePanel.bottom + 20, amount(tick), 'middle')),
    text((left + right) / 2, ratePanel.bottom + 42, 'seconds since the beginning', 'middle'),
    '</svg>',
    '',
  ].join('\n')
}

function drawTitle({ operation, rate, seconds, accepted, turnedAway, failed, latencyMs }: Report): string[] {
  const counts = `${amount(accepted)} accepted, ${amount(turnedAway)} turned away, ${amount(failed)} failed`
  const found = `${counts}; p50 ${amount(latencyMs.p50)} ms, p99 ${amount(latencyMs.p99)} ms`
  const title = `${operation}: ${amount(rate)}/s for ${amount(seconds)} s`
  return [
    `<text x="${left}" y="34" font-size="18" font-weight="600" fill="#16191d">${escape(title)}</text>`,
    `<text x="${left}" y="58">${escape(found)}</text>`,
  ]
}

function drawLatency(timeline: readonly Moment[], times: Axis): string[] {
  const known = timeline.flatMap(({ p50, p95, p99 }) => [p50, p95, p99].filter((ms) => ms !== null))
  const axis = logAxis(Math.max(0.1, Math.min(...known, 1_000)), Math.max(...known, 1), latencyPanel.bottom, latencyPanel.top)
  const curves = lines.map(({ name, color }) => {
    const path = pathOf(timeline.map((moment) => [times.place(moment.second + 0.5), moment[name]] as const), axis)
    return `<path d="${path}" fill="none" stroke="${color}" stroke-width="2" stroke-linejoin="round" stroke-linecap="round"/>`
  })
  return [
    ...drawGrid(axis, latencyPanel.top, 'latency from when a request was due, ms'),
    ...curves,
    ...drawLegend(latencyPanel.top, lines.map(({ name, color }) => ({ words: name, color }))),
  ]
}

function drawRates(timeline: readonly Moment[], times: Axis): string[] {
  const axis = straightAxis(Math.max(...timeline.map(({ arrived }) => arrived), 1), ratePanel.bottom, ratePanel.top)
  const wide = Math.max(1, times.place(1) - times.place(0) - (timeline.length > 200 ? 0 : 1))
  const stacks = timeline.flatMap((moment) => {
    let below = 0
    return areas.map(({ name, color }) => {
      const [from, to] = [below, (below += moment[name])]
      const [x, y, tall] = [times.place(moment.second), axis.place(to), axis.place(from) - axis.place(to)]
      return tall === 0 ? '' : `<rect x="${px(x)}" y="${px(y)}" width="${px(wide)}" height="${px(tall)}" fill="${color}"/>`
    })
  })
  const due = pathOf(timeline.map(({ second, arrived }) => [times.place(second + 0.5), arrived] as const), axis)
  return [
    ...drawGrid(axis, ratePanel.top, 'requests a second'),
    ...stacks.filter(Boolean),
    `<path d="${due}" fill="none" stroke="#16191d" stroke-width="1.5" stroke-dasharray="5 4"/>`,
    ...drawLegend(ratePanel.top, [{ words: 'due', color: '#16191d' }, ...areas]),
  ]
}

function drawGrid(axis: Axis, top: number, title: string): string[] {
  return [
    `<text x="${left}" y="${top - 14}" font-weight="600">${title}</text>`,
    ...axis.ticks.flatMap((tick) => {
      const y = px(axis.place(tick))
      const line = `<line x1="${left}" y1="${y}" x2="${right}" y2="${y}" stroke="#e4e7eb"/>`
      return [line, text(left - 10, Number(y) + 4, amount(tick), 'end')]
    }),
  ]
}

const legendStep = 112

function drawLegend(top: number, entries: ReadonlyArray<{ readonly words: string; readonly color: string }>): string[] {
  return entries.flatMap(({ words, color }, index) => {
    const x = right - (entries.length - index) * legendStep
    const mark = `<rect x="${x}" y="${top - 24}" width="12" height="12" rx="3" fill="${color}"/>`
    return [mark, text(x + 18, top - 14, words, 'start')]
  })
}

/** A line through the points; a second without a value breaks it. */
function pathOf(points: ReadonlyArray<readonly [x: number, value: number | null]>, axis: Axis): string {
  const steps = points.map(([x, value], index) => {
    if (value === null) return ''
    const [before, after] = [points[index - 1]?.[1] ?? null, points[index + 1]?.[1] ?? null]
    // A lone point is drawn as a line of no length, which round ends make a dot.
    return `${before === null ? 'M' : 'L'}${px(x)} ${px(axis.place(value))}${before === null && after === null ? 'h0' : ''}`
  })
  return steps.filter(Boolean).join(' ')
}

const px = (value: number): string => value.toFixed(1)
const amount = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 })
const text = (x: number, y: number, words: string, anchor: string): string =>
  `<text x="${px(x)}" y="${px(y)}" text-anchor="${anchor}">${escape(words)}</text>`
const escape = (words: string): string => words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
