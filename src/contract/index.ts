import type { Operation } from './define.ts'
import { policies } from './gonogo/policies.ts'
import { apiKeys } from './secrets/apiKeys.ts'
import { system } from './system/system.ts'

/** Every operation of the interface, by id. */
export const operations = { ...system, ...policies, ...apiKeys } as const

export type Operations = typeof operations
export type OperationId = keyof Operations

/** The rows as plain data, for whatever walks the whole table. */
export const operationList = Object.entries(operations) as unknown as ReadonlyArray<readonly [OperationId, Operation]>
