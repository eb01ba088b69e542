import type { OperationId } from '../contract/index.ts'
import { auditEntryHandlers } from './auditEntries.ts'
import { checkHandlers } from './gonogo/check.ts'
import { domainHandlers } from './gonogo/domains.ts'
import { enforceHandlers } from './gonogo/enforce.ts'
import { environmentHandlers } from './gonogo/environment.ts'
import { policyHandlers } from './gonogo/policies.ts'
import { simulationHandlers } from './gonogo/simulation.ts'
import type { HandlersOf } from './handler.ts'
import type { House } from './house.ts'
import { jobHandlers } from './jobs/jobs.ts'
import { jobQueueHandlers } from './jobs/queues.ts'
import { flightHandlers } from './krull/flightReads.ts'
import { pageHandlers } from './krull/pages.ts'
import { krullSystemHandlers } from './krull/system.ts'
import { licenseHandlers } from './licorice/licenses.ts'
import { streamHandlers } from './mentos/streams.ts'
import type { NotBuilt } from './notBuilt.ts'
import { imageHandlers } from './screenshot/images.ts'
import { apiKeyHandlers } from './secrets/apiKeys.ts'
import { checkpointHandlers } from './secrets/checkpoints.ts'
import { credentialHandlers } from './secrets/credentials.ts'
import { promptHandlers } from './secrets/prompts.ts'
import { secretHandlers } from './secrets/secrets.ts'
import { storeHandlers } from './secrets/stores.ts'
import { userHandlers } from './secrets/users.ts'
import { cellarFileHandlers } from './sirp/cellarFiles.ts'
import { cellarManifestHandlers } from './sirp/cellarManifests.ts'
import { queryHandlers } from './sirp/queries.ts'
import { queryCommandHandlers } from './sirp/queryCommands.ts'
import { queryDispatchHandlers } from './sirp/queryDispatch.ts'
import { queryEventHandlers } from './sirp/queryEvents.ts'
import { queryPlanHandlers } from './sirp/queryPlans.ts'
import { queryResultHandlers } from './sirp/queryResults.ts'
import { querySummaryHandlers } from './sirp/querySummaries.ts'
import { scheduleRunHandlers } from './sirp/scheduleRuns.ts'
import { scheduleHandlers } from './sirp/schedules.ts'
import { serviceOperationHandlers } from './sirp/services.ts'
import { stageHandlers } from './sirp/stages.ts'
import { templateRunHandlers } from './sirp/templateRuns.ts'
import { templateHandlers } from './sirp/templates.ts'
import { workerHandlers } from './workers/workers.ts'

/** Operations that the API process answers by itself. */
type OfTheEdge = Extract<OperationId, `system.${string}`>

/** The handler of every operation that is built: leave one out and this does not compile. */
export function serviceHandlers(house: House): HandlersOf<Exclude<OperationId, NotBuilt | OfTheEdge>> {
  return {
    ...auditEntryHandlers(house),
    ...cellarFileHandlers(house),
    ...cellarManifestHandlers(house),
    ...checkHandlers(house),
    ...domainHandlers(house),
    ...enforceHandlers(house),
    ...environmentHandlers(house),
    ...flightHandlers(house),
    ...imageHandlers(house),
    ...jobHandlers(house),
    ...jobQueueHandlers(house),
    ...krullSystemHandlers(house),
    ...licenseHandlers(house),
    ...pageHandlers(house),
    ...policyHandlers(house),
    ...queryCommandHandlers(house),
    ...queryDispatchHandlers(house),
    ...queryEventHandlers(house),
    ...queryHandlers(house),
    ...queryPlanHandlers(house),
    ...queryResultHandlers(house),
    ...querySummaryHandlers(house),
    ...scheduleHandlers(house),
    ...scheduleRunHandlers(house),
    ...serviceOperationHandlers(house),
    ...simulationHandlers(house),
    ...stageHandlers(house),
    ...streamHandlers(house),
    ...templateHandlers(house),
    ...templateRunHandlers(house),
    ...workerHandlers(house),
    ...apiKeyHandlers(house),
    ...checkpointHandlers(house),
    ...credentialHandlers(house),
    ...promptHandlers(house),
    ...secretHandlers(house),
    ...storeHandlers(house),
    ...userHandlers(house),
  }
}
