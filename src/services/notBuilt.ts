import type { OperationId } from '../contract/index.ts'

/** Operations of the interface whose engine is still to come; they answer 501 `not_built`. */
export const notBuilt = ['gonogo.policy.enforce', 'gonogo.policy.check'] as const satisfies readonly OperationId[]

export type NotBuilt = (typeof notBuilt)[number]
