import type { Tally } from './tally.ts'

/** Where progress is shown: a terminal, or whatever reads lines. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

const barWidth = 24

/** Shows how far the load is, until the returned function is called: a bar on a terminal, elsewhere one line a second. */
export function showProgress(screen: Screen, tally: Tally, seconds: number): () => void {
  const live = screen.isTTY === true
  const beganMs = performance.now()
  const draw = (): void => {
    const elapsedS = (performance.now() - beganMs) / 1_000
    const line = lineOf(tally, elapsedS, seconds)
    screen.write(live ? `\r\x1b[K${line.slice(0, (screen.columns ?? 120) - 1)}` : `${line}\n`)
  }
  if (live) draw()
  const timer = setInterval(draw, live ? 200 : 1_000)
  return () => {
    clearInterval(timer)
    if (live) screen.write('\r\x1b[K')
  }
}

/** What is worth knowing while it runs, in one line. */
function lineOf({ counts, underWay, latency }: Tally, elapsedS: number, seconds: number): string {
  const filled = Math.round(Math.min(1, elapsedS / seconds) * barWidth)
  const wholeS = Math.round(elapsedS) // a timer may fire a moment early
  const time = elapsedS < seconds ? `${wholeS}/${seconds} s` : `${wholeS} s, waiting for the last answers`
  const refused = counts.turnedAway > 0 ? `, turned away ${counts.turnedAway}` : ''
  const failed = counts.failed > 0 ? `, failed ${counts.failed}` : ''
  const p99 = latency.count > 0 ? `, p99 ${latency.quantile(0.99).toFixed(1)} ms` : ''
  const bar = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`
  return `${bar} ${time}: accepted ${counts.accepted}${refused}${failed}, under way ${underWay}${p99}`
}
