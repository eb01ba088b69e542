import type { TSchema } from 'typebox'
import type { Fault } from '../../platform/errors.ts'
import { explainFaults } from './explain.ts'
import { fits } from './fits.ts'

/** The faults of a value; none where it fits its schema. */
export type Check = (value: unknown) => readonly Fault[]

/** The check of a schema; faults come with the path of each field and what is expected there. */
export function compileCheck(schema: TSchema, place?: Fault['in']): Check {
  return (value) => (fits(schema, value) ? [] : explainFaults(schema, value, place))
}
