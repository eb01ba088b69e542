import { estimateOf } from '../../src/query/estimate.ts'
import { parseQuery } from '../../src/query/plan.ts'
import { showStages } from '../../src/query/showPlan.ts'
import { parseTexts } from './parseTexts.ts'

const runs = 10

/** Parses a text, with its plan and estimate where it has no faults; writes the processor's time in the best of some runs, because the rest of a machine is not ours. */
const [, , kind = ''] = process.argv
process.stdout.write(JSON.stringify(Math.min(...Array.from({ length: runs }, () => timeOf(parseTexts[kind] ?? '')))))

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
