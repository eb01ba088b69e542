import type { Measured } from './measure.ts'

/** The results as a Markdown table, ready for the README. */
export function printTable(results: readonly Measured[]): string {
  const number = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 2 : 0 })
  const rows = results.map((r) => `| ${r.what} | ${number(r.value)} ${r.unit} | ${r.beside} | ${number(r.raw)} ${r.unit} | ${number(r.ratio)} | ${r.reach} | ${r.reached ? 'yes' : 'NO'} |`)
  return ['| what | value | beside | raw | ratio | to reach | reached |', '|---|---|---|---|---|---|---|', ...rows, ''].join('\n')
}
