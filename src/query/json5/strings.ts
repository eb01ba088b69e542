import { unexpected } from './unfit.ts'

const plainDouble = /[^"\\\n\r]*/y
const plainSingle = /[^'\\\n\r]*/y
const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v', '\n': '', '\u2028': '', '\u2029': '' }

/** Reads a string of JSON5 from its opening quote; `end` is behind the closing one. */
export function readString(source: string, start: number): { readonly text: string; readonly end: number } {
  const quote = source[start]
  const plain = quote === '"' ? plainDouble : plainSingle
  const parts: string[] = []
  for (let at = start + 1; ; ) {
    plain.lastIndex = at
    const part = plain.exec(source)?.[0] ?? ''
    at += part.length
    if (source[at] === quote) return { text: parts.length === 0 ? part : parts.join('') + part, end: at + 1 }
    if (source[at] !== '\\') throw unexpected(source, at)
    const escaped = readEscape(source, at + 1)
    parts.push(part, escaped.text)
    at = escaped.end
  }
}

/** What stands behind a back-slash: a code, the end of a line that goes on, or a character that stands for another or for itself. */
function readEscape(source: string, at: number): { readonly text: string; readonly end: number } {
  const code = source.codePointAt(at)
  if (code === undefined) throw unexpected(source, at)
  const first = String.fromCodePoint(code)
  if (first === 'x') return readCode(source, at + 1, 2)
  if (first === 'u') return readCode(source, at + 1, 4)
  if (first === '\r') return { text: '', end: at + (source[at + 1] === '\n' ? 2 : 1) }
  if (first === '0' && !/\d/.test(source[at + 1] ?? '')) return { text: '\0', end: at + 1 }
  if (/\d/.test(first)) throw unexpected(source, first === '0' ? at + 1 : at)
  return { text: escapes[first] ?? first, end: at + first.length }
}

function readCode(source: string, from: number, digits: number): { readonly text: string; readonly end: number } {
  for (let at = from; at < from + digits; at += 1) if (!/[\dA-Fa-f]/.test(source[at] ?? '')) throw unexpected(source, at)
  return { text: String.fromCharCode(Number.parseInt(source.slice(from, from + digits), 16)), end: from + digits }
}
