import { parseQuery } from '../../src/query/plan.ts'

/** The text of a stage that makes these rows. */
export function seedRows(rows: readonly unknown[]): string {
  return `seed \`\`\`json\n${JSON.stringify(rows)}\n\`\`\``
}

/** What is wrong with a query's text, with the piece of it that each fault points at. */
export function faultsOf(text: string): { at: string; message: string; hint?: string }[] {
  return parseQuery(text).faults.map(({ start, end, message, hint }) => ({ at: text.slice(start, end), message, ...(hint === undefined ? {} : { hint }) }))
}
