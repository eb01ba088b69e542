import type { Value } from './expressions/ast.ts'
import { isObject } from './templateSchema.ts'
import { fault, type Fault } from './text/fault.ts'
import { tokensIn } from './text/fill.ts'
import { spanIn, type Syntax } from './text/syntax.ts'

const prefix = 'template.'

/** The values of a template by their plain names: `{a}`, `{"template.a"}` and `{template: {a}}` are the same. */
export function plainValues(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const plain: [string, unknown][] = Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'template' && isObject(value)) return Object.entries(value)
    return [[name.startsWith(prefix) ? name.slice(prefix.length) : name, value]]
  })
  return Object.fromEntries(plain)
}

/** What `$template.name$` stands for; lists and objects are their JSON text. */
export function templateTokens(values: Readonly<Record<string, unknown>>): (token: string) => Value | undefined {
  return (token) => {
    const found = token.startsWith(prefix) ? valueAt(values, token.slice(prefix.length)) : undefined
    return found === undefined ? undefined : scalarOf(found)
  }
}

/** The value of a name: what is given under it, or what lies at its dots in what is given, as in a flattened row. */
function valueAt(values: object, name: string): unknown {
  const own = (key: string): unknown => (Object.prototype.propertyIsEnumerable.call(values, key) ? Reflect.get(values, key) : undefined)
  const given = own(name)
  if (given !== undefined) return given
  for (let dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) {
    const inner = own(name.slice(0, dot))
    const found = typeof inner === 'object' && inner !== null ? valueAt(inner, name.slice(dot + 1)) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

function scalarOf(value: unknown): Value {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null) return value
  return JSON.stringify(value)
}

/** Faults for template tokens that no value fills, each at its first place. */
export function missingValues({ pieces }: Syntax, values: Readonly<Record<string, unknown>>): Fault[] {
  const missing = new Map<string, Fault>()
  for (const piece of pieces) {
    if (piece.kind !== 'value') continue
    for (const found of tokensIn(piece.text)) {
      if (!found.token.startsWith(prefix)) continue
      const name = found.token.slice(prefix.length)
      if (missing.has(name) || valueAt(values, name) !== undefined) continue
      const { start, end } = spanIn(piece, found.start, found.end)
      missing.set(name, fault(start, end, `the template needs a value for ${name.slice(0, 100)}`))
    }
  }
  return [...missing.values()]
}
