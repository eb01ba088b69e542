import { fillText, onlyToken, type Filled } from '../filled.ts'
import { notJson, readJson } from '../lenientJson.ts'
import { templateIn, type Param } from '../params.ts'
import { fault, type Fault } from '../text/fault.ts'
import type { Part } from '../text/fill.ts'
import type { ValuePiece } from '../text/syntax.ts'

/** A body that is ready to be sent, and what it is. */
export interface RequestBody {
  readonly body: string | Uint8Array
  readonly contentType: string
}

/** A body: lenient JSON, which is sent as strict JSON with its tokens filled inside the parsed strings, or any other text. */
export function requestBody(doc: string): Param<Filled<RequestBody>> {
  return {
    type: 'text',
    doc,
    read: (piece) => {
      const json = readJson(piece.text)
      if (json.problem === null) return { value: (row, lookup) => jsonBody(json.fill(row, lookup)), shown: piece.text, faults: [] }
      const { parts, faults } = templateIn(piece)
      const wrong = jsonFault(piece, json.problem, parts)
      const fill = fillText(parts)
      // A row as text is JSON by itself.
      const contentType = onlyToken(parts) === 'ROW' ? 'application/json' : 'text/plain;charset=UTF-8'
      return { value: (row, lookup) => ({ body: fill(row, lookup), contentType }), shown: piece.text, faults: wrong ? [wrong] : faults }
    },
  }
}

/** What is meant to be JSON must not be sent as text, where the value of a row would become a part of its syntax. */
function jsonFault({ text, start, end }: ValuePiece, problem: string, parts: readonly Part[]): Fault | undefined {
  if (!problem.startsWith(notJson)) return fault(start, end, problem, { expected: 'JSON or another text' })
  if (!/^\s*[{[]/.test(text) || parts.every((part) => 'text' in part)) return undefined
  const withNumbers = parts.map((part) => ('token' in part ? '0' : part.text)).join('')
  if (readJson(withNumbers).problem !== null) return undefined
  return fault(start, end, 'has a token outside of quotes', { expected: 'the token in quotes: one that is the whole string keeps the type of its value' })
}

const jsonBody = (data: unknown): RequestBody => ({ body: JSON.stringify(data), contentType: 'application/json' })

/** Fields as an HTML form sends them: a list repeats its name, what is nested has its key in brackets, null is left out. */
export function formBody(fields: unknown): RequestBody {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(fields ?? {})) addField(search, name, value)
  return { body: search.toString(), contentType: 'application/x-www-form-urlencoded' }
}

function addField(search: URLSearchParams, name: string, value: unknown): void {
  if (value === null || value === undefined) return
  if (typeof value !== 'object') search.append(name, String(value))
  else if (!Array.isArray(value)) for (const [key, item] of Object.entries(value)) addField(search, `${name}[${key}]`, item)
  else for (const [index, item] of value.entries()) addField(search, typeof item === 'object' && item !== null ? `${name}[${index}]` : name, item)
}
