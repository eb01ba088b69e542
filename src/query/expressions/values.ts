import type { Value } from './ast.ts'

const numeric = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/

/** The number that a value is or reads as; null where it is none. */
export function asNumber(value: Value): number | null {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !numeric.test(value)) return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** The value as text; null is empty, lists are joined by commas. */
export function asText(value: Value): string {
  if (value === null) return ''
  return typeof value === 'object' ? value.map(asText).join(',') : String(value)
}

/** Whether a value counts as yes: not null, false, 0, empty text or an empty list. */
export function isTrue(value: Value): boolean {
  if (typeof value === 'object' && value !== null) return value.length > 0
  return Boolean(value)
}

/** Equality: numeric text equals a number, everything else only its own kind. */
export function areEqual(left: Value, right: Value): boolean {
  if (typeof left === typeof right && typeof left !== 'object') return left === right
  if (typeof left === 'number' || typeof right === 'number') {
    const [a, b] = [asNumber(left), asNumber(right)]
    return a !== null && a === b
  }
  if (Array.isArray(left) && Array.isArray(right)) return left.length === right.length && left.every((item, index) => areEqual(item as Value, right[index] as Value))
  return left === right
}

/** Negative, zero or positive; null where the two cannot be put in order. */
export function compare(left: Value, right: Value): number | null {
  if (typeof left === 'number' || typeof right === 'number') {
    const [a, b] = [asNumber(left), asNumber(right)]
    return a === null || b === null ? null : a - b
  }
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right)
  return null
}
