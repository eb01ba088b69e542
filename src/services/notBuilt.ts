import type { OperationId } from '../contract/index.ts'

/** Operations of the interface whose engine is still to come, by that engine; they answer 501 `not_built`. */
export const notBuilt = {
  'the store drivers': ['mentos.stream.write', 'secrets.store.test'],
} as const satisfies Record<string, readonly OperationId[]>

export type NotBuilt = (typeof notBuilt)[keyof typeof notBuilt][number]

/** The engine that an operation waits for, or undefined where it is built. */
export function engineOf(id: OperationId): string | undefined {
  return Object.entries(notBuilt).find(([, ids]) => (ids as readonly OperationId[]).includes(id))?.[0]
}
