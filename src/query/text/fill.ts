import { fault, tell, type Fault } from './fault.ts'

/** A value with its tokens told apart: plain text, or a name between dollars. */
export type Part = { readonly text: string } | { readonly token: string; readonly start: number; readonly end: number }

/** A value as it stands in the text, ready to be filled with data; data is never read as syntax. */
export interface Template {
  readonly parts: readonly Part[]
  readonly faults: readonly Fault[]
}

const noFaults: readonly Fault[] = []

/** Finds `$name$` in a value; `$$` is a literal dollar, and a dollar without a partner too. `offset` is where the value begins in the query. */
export function readTemplate(value: string, offset = 0): Template {
  if (!value.includes('$')) return { parts: value === '' ? [] : [{ text: value }], faults: noFaults }
  const parts: Part[] = []
  const faults: Fault[] = []
  let plain = ''
  let at = 0
  while (at < value.length) {
    const open = value.indexOf('$', at)
    if (open < 0) break
    plain += value.slice(at, open)
    const close = value.indexOf('$', open + 1)
    const name = close < 0 ? null : value.slice(open + 1, close)
    if (name === null || !isTokenName(name)) {
      plain += '$'
      at = name === '' ? close + 1 : open + 1
      continue
    }
    if (plain !== '') parts.push({ text: plain })
    plain = ''
    parts.push({ token: name, start: offset + open, end: offset + close + 1 })
    if (name.endsWith('.')) tell(faults, () => fault(offset + open, offset + close + 1, 'the token names nothing behind its last dot', { expected: 'a name' }))
    at = close + 1
  }
  plain += value.slice(at)
  if (plain !== '') parts.push({ text: plain })
  return { parts, faults }
}

/** Names have no line breaks and do not begin or end with a space, so that two prices in a text are not a token. */
function isTokenName(name: string): boolean {
  return name !== '' && name.length <= 1_000 && !/[\r\n]/.test(name) && name.trim() === name
}
