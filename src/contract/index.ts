/**
 * What is agreed between the service and everyone who uses it.
 *
 * - operation: one row of the HTTP interface, with an id `group.resource.verb`. The same string is the route's name, the OpenAPI
 *   `operationId`, the log field and the test's name: searching for it finds everything about it.
 * - job: one unit of work on a BullMQ queue, with a written wire name and a payload schema.
 * - queue: a lane with its own attempts and deadline.
 * - processor: the function that does a job.
 * - service: one domain (`gonogo`, `secrets`, …): its rules and the tables that it owns.
 * - command: one verb of the query language. A stage is one command at its place in a query.
 * - row: a flat record; a batch: an array of rows travelling together through a stage.
 */
import { scheduleVariants } from './almanac/schedules.ts'
import { auditEntries } from './audit/entries.ts'
import type { Operation } from './define.ts'
import { domains } from './gonogo/domains.ts'
import { policies } from './gonogo/policies.ts'
import { gonogoService } from './gonogo/service.ts'
import { jobFlights } from './jobs/flights.ts'
import { jobs } from './jobs/jobs.ts'
import { jobQueues } from './jobs/queues.ts'
import { pages } from './krull/pages.ts'
import { repeats } from './krull/repeats.ts'
import { krullSystem } from './krull/system.ts'
import { licenses } from './licorice/licenses.ts'
import { streams } from './mentos/streams.ts'
import { streamWrites } from './mentos/streamWrites.ts'
import { screenshots } from './screenshot/screenshots.ts'
import { apiKeys } from './secrets/apiKeys.ts'
import { checkpoints } from './secrets/checkpoints.ts'
import { credentials } from './secrets/credentials.ts'
import { prompts } from './secrets/prompts.ts'
import { secrets } from './secrets/secrets.ts'
import { stores } from './secrets/stores.ts'
import { users } from './secrets/users.ts'
import { cellarFiles } from './sirp/cellarFiles.ts'
import { cellarManifests } from './sirp/cellarManifests.ts'
import { commands } from './sirp/commands.ts'
import { commandFlights } from './sirp/flights.ts'
import { queries } from './sirp/queries.ts'
import { queryDispatches } from './sirp/queryDispatch.ts'
import { queryPlans } from './sirp/queryPlan.ts'
import { queryResults } from './sirp/queryResults.ts'
import { querySummaries } from './sirp/querySummary.ts'
import { scheduleRuns } from './sirp/scheduleRuns.ts'
import { schedules } from './sirp/schedules.ts'
import { services } from './sirp/services.ts'
import { stages } from './sirp/stages.ts'
import { templateRuns } from './sirp/templateRuns.ts'
import { templates } from './sirp/templates.ts'
import { system } from './system/system.ts'
import { workers } from './workers/workers.ts'

/** Every operation of the interface, by id. */
export const operations = {
  ...system,
  ...queryPlans,
  ...queryDispatches,
  ...queries,
  ...queryResults,
  ...querySummaries,
  ...stages,
  ...commands,
  ...commandFlights,
  ...services,
  ...cellarFiles,
  ...cellarManifests,
  ...schedules,
  ...scheduleRuns,
  ...scheduleVariants,
  ...templates,
  ...templateRuns,
  ...pages,
  ...repeats,
  ...krullSystem,
  ...screenshots,
  ...policies,
  ...domains,
  ...gonogoService,
  ...apiKeys,
  ...checkpoints,
  ...credentials,
  ...prompts,
  ...secrets,
  ...stores,
  ...users,
  ...licenses,
  ...streams,
  ...streamWrites,
  ...jobs,
  ...jobFlights,
  ...jobQueues,
  ...workers,
  ...auditEntries,
} as const

export type Operations = typeof operations
export type OperationId = keyof Operations

/** The rows as plain data, for whatever walks the whole table. */
export const operationList = Object.entries(operations) as unknown as ReadonlyArray<readonly [OperationId, Operation]>
