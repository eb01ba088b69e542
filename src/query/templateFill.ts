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
    const name = token.startsWith(prefix) ? token.slice(prefix.length) : undefined
    return name !== undefined && Object.hasOwn(values, name) ? scalarOf(values[name]) : undefined
  }
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
      if (Object.hasOwn(values, name) || missing.has(name)) continue
      const { start, end } = spanIn(piece, found.start, found.end)
      missing.set(name, fault(start, end, `the template needs a value for ${name.slice(0, 100)}`))
    }
  }
  return [...missing.values()]
}
