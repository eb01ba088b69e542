type Fields = Record<string, unknown>

const levels: Record<string, { word: string; colour: number }> = {
  trace: { word: 'TRACE', colour: 90 },
  debug: { word: 'DEBUG', colour: 90 },
  info: { word: 'INFO', colour: 32 },
  warn: { word: 'WARN', colour: 33 },
  error: { word: 'ERROR', colour: 31 },
  fatal: { word: 'FATAL', colour: 31 },
}

const numbered: Record<string, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

// Shown in front of the line, or known from it.
const shownElsewhere = new Set(['level', 'time', 'msg', 'pid', 'hostname', 'process', 'err'])

/** A log line for programs: JSON stays JSON and says which process wrote it, other text gets a prefix. */
export function renderForMachines(name: string, text: string): string {
  const fields = parseFields(text)
  return fields ? JSON.stringify({ ...fields, process: name }) : `${name} | ${text}`
}

/** A log line for people: time, level, message and the other fields; text that is not JSON stays as it is. */
export function renderForHumans(text: string): string {
  const fields = parseFields(text)
  if (!fields) return text
  const { word, colour } = levels[numbered[String(fields['level'])] ?? String(fields['level'])] ?? { word: '', colour: 0 }
  const pairs = Object.entries(fields)
    .filter(([key]) => !shownElsewhere.has(key))
    .map(([key, value]) => `\x1b[2m${key}=\x1b[0m${renderValue(value)}`)
  const head = [`\x1b[2m${renderTime(fields['time'])}\x1b[0m`, `\x1b[${colour}m${word.padEnd(5)}\x1b[0m`, String(fields['msg'] ?? '')]
  return [...head, ...pairs].filter((part) => part !== '').join(' ') + renderError(fields['err'])
}

function parseFields(text: string): Fields | null {
  if (!text.startsWith('{')) return null
  try {
    // JSON that begins with a brace is an object.
    return JSON.parse(text) as Fields
  } catch {
    return null
  }
}

function renderTime(time: unknown): string {
  const date = new Date(typeof time === 'number' ? time : String(time))
  return Number.isNaN(date.getTime()) ? '' : date.toTimeString().slice(0, 8)
}

function renderValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return typeof value === 'string' && /[\s"=]/.test(text) ? JSON.stringify(text) : text
}

function renderError(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const { stack, message, cause } = error as Fields
  return `\n  ${String(stack ?? message ?? '').replaceAll('\n', '\n  ')}${cause === undefined ? '' : renderError(cause)}`
}
