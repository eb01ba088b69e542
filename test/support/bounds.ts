import { expect } from 'vitest'
import { Compile } from 'typebox/compile'
import type { TObject } from 'typebox'
import type { Operation } from '../../src/contract/define.ts'

/** Values of one field on either side of its limits. */
export interface Bound {
  readonly field: string
  readonly right: readonly unknown[]
  readonly wrong: readonly unknown[]
}

/** The longest text that queries, expressions and selectors may have. */
export const longest = 'x'.repeat(1_048_576)

/** The limits of queries, expressions and selectors. */
export const codeBound = { right: ['x', longest], wrong: ['', `${longest}x`, 1] } as const

/** The schema in which an operation takes its fields: the body, else the query parameters, else the path. */
export function inputOf({ body, query, params, path }: Operation): TObject {
  const input = body ?? query ?? params
  if (!input || !('properties' in input)) throw new Error(`${path} takes no fields`)
  // Every request schema is built with Closed, which makes an object.
  return input as TObject
}

/** Checks that a schema takes a right input with each right value of the field, and with none of the wrong ones. */
export function expectBound(schema: TObject, input: object, { field, right, wrong }: Bound): void {
  const check = Compile(schema)
  const verdict = (value: unknown) => ({ value: JSON.stringify(value).slice(0, 60), taken: check.Check({ ...input, [field]: value }) })
  for (const value of right) expect(verdict(value)).toMatchObject({ taken: true })
  for (const value of wrong) expect(verdict(value)).toMatchObject({ taken: false })
}
