/** What stands between two quotes. */
export interface QuotedText {
  readonly text: string
  /** Which characters of the text have a back-slash before them. */
  readonly escaped: readonly number[]
  /** Behind the closing quote, or at the end where there is none. */
  readonly end: number
  readonly closed: boolean
}

const none: readonly number[] = []

/** Reads from an opening quote to its partner: a back-slash escapes the quote and itself, and is literal before anything else. */
export function readQuoted(source: string, start: number, quote: string): QuotedText {
  const close = source.indexOf(quote, start + 1)
  const plain = source.slice(start + 1, close < 0 ? undefined : close)
  if (!plain.includes('\\')) return { text: plain, escaped: none, end: close < 0 ? source.length : close + 1, closed: close >= 0 }
  return readEscaped(source, start, quote)
}

function readEscaped(source: string, start: number, quote: string): QuotedText {
  const parts: string[] = []
  const escaped: number[] = []
  let from = start + 1
  let at = from
  for (; at < source.length && source[at] !== quote; at += 1) {
    const next = source[at + 1]
    if (source[at] !== '\\' || (next !== quote && next !== '\\')) continue
    parts.push(source.slice(from, at))
    escaped.push(at - start - 1 - escaped.length)
    from = at + 1
    at += 1
  }
  parts.push(source.slice(from, at))
  const closed = at < source.length
  return { text: parts.join(''), escaped, end: closed ? at + 1 : at, closed }
}
