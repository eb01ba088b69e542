import { describe, expect } from 'vitest'
import { test } from '../api.ts'
import { expectProblem } from '../problems.ts'
import type { SealedKind } from './records.ts'
import { wrongBodies } from './wrongBodies.ts'

/** Which bodies create and update refuse, before they look for any record, and how they say where the faults are. */
export function describeSealedRefusals(kind: SealedKind, verb: 'create' | 'update'): void {
  const id = `secrets.${kind}.${verb}` as const
  const name = 'refused'

  describe(`${id} refuses, with the exact path,`, () => {
    test.for(wrongBodies(kind, name))('$what', async ({ body, paths }, { api, sendAs }) => {
      const input = verb === 'update' ? { params: { name }, body } : { body }
      const { errors = [] } = await expectProblem(await sendAs(api.adminKey, id, input), 'validation_failed')
      expect(errors.map(({ path }) => path).toSorted()).toEqual(paths.toSorted())
    })
  })
}
