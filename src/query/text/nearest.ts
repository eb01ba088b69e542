const maxLength = 64
const maxCandidates = 1_000

/** The known name that a mistyped one most likely meant, or null where none is near. */
export function nearest(name: string, known: Iterable<string>): string | null {
  const wanted = name.slice(0, maxLength).toLowerCase()
  let best: string | null = null
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1
  let seen = 0
  for (const candidate of known) {
    seen += 1
    if (seen > maxCandidates || bestDistance === 0) break
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue
    const distance = editDistance(wanted, candidate.slice(0, maxLength).toLowerCase(), bestDistance)
    if (distance >= bestDistance) continue
    best = candidate
    bestDistance = distance
  }
  return best
}

/** Insertions, deletions, replacements and swaps of neighbours between two words; gives up at the bound. */
function editDistance(a: string, b: string, bound: number): number {
  if (Math.abs(a.length - b.length) >= bound) return bound
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + change)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1)
      row.push(cost)
    }
    if (Math.min(...row) >= bound) return bound
    beforeLast = last
    last = row
  }
  return last[b.length] ?? bound
}
