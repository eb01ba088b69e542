import { bounds } from './bounds.ts'

/** The name that the user's own code has in stacks. */
export const expressionName = 'expression'

const named = `\n//# sourceURL=${expressionName}`

/** Ways to read an expression without running it: a value, or one that awaits. Each shifts its lines by one. */
export const thunkSources = (expression: string): string[] => ['()', 'async ()'].map((head) => `(${head} => (\n${expression}\n))${named}`)

/** Reads an expression as statements, which runs them at once; its value is that of the last one. */
export const statementsSource = (expression: string): string => `({ value: (0, eval)(${JSON.stringify(`\n${expression}${named}`)}) })`

/** What the source below answers. */
export interface Finished {
  readonly value?: unknown
  readonly beyond?: 'size' | 'depth'
}

/**
 * Calls what was read, with the arguments behind it, and copies the value as JSON would, within bounds. It uses syntax in the place of
 * functions of the page wherever it can, for the page may have put its own in their place.
 */
export const finishSource = `async function (read, ...given) {
  const beyond = { why: '' }
  let left = ${bounds.resultBytes}
  const spend = (size) => {
    left -= size
    if (left < 0) {
      beyond.why = 'size'
      throw beyond
    }
  }
  const copyList = (list, depth) => {
    spend(2)
    const copied = []
    for (let index = 0; index < list.length; index++) {
      const item = copy(list[index], depth + 1)
      copied[index] = item === undefined ? null : item
      spend(item === undefined || item === null ? 5 : 1)
    }
    return copied
  }
  const copyObject = (value, depth) => {
    spend(2)
    const copied = { __proto__: null }
    const own = { __proto__: null, ...value }
    for (const key in own) {
      const item = copy(own[key], depth + 1)
      if (item === undefined) continue
      spend(key.length + 4)
      copied[key] = item
    }
    return copied
  }
  const copy = (value, depth) => {
    if (typeof value === 'string') spend(value.length + 2)
    if (typeof value === 'bigint') return '' + value
    if (typeof value === 'number') return value - value === 0 ? value : null
    if (typeof value === 'function' || typeof value === 'symbol') return undefined
    if (typeof value !== 'object' || value === null) return value
    if (depth > ${bounds.resultDepth}) {
      beyond.why = 'depth'
      throw beyond
    }
    if (typeof value.toJSON === 'function') return copy(value.toJSON(), depth + 1)
    return Array.isArray(value) || (ArrayBuffer.isView(value) && value.length >= 0) ? copyList(value, depth) : copyObject(value, depth)
  }
  const named = typeof read === 'function' ? await read() : await read.value
  const value = typeof named === 'function' ? await named(...given) : named
  try {
    const copied = copy(value, 1)
    return { value: copied === undefined ? null : copied }
  } catch (error) {
    if (error === beyond) return { beyond: beyond.why }
    throw error
  }
}
//# sourceURL=quern
`
