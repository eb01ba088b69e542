import type { OperationId } from '../contract/index.ts'
import { policyHandlers } from './gonogo/policies.ts'
import type { HandlersOf } from './handler.ts'
import type { House } from './house.ts'
import type { NotBuilt } from './notBuilt.ts'
import { apiKeyHandlers } from './secrets/apiKeys.ts'

/** Operations that the API process answers by itself. */
type OfTheEdge = Extract<OperationId, `system.${string}`>

/** The handler of every operation that is built: leave one out and this does not compile. */
export function serviceHandlers(house: House): HandlersOf<Exclude<OperationId, NotBuilt | OfTheEdge>> {
  return {
    ...policyHandlers(house),
    ...apiKeyHandlers(house),
  }
}
