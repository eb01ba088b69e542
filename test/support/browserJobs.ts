import { expect } from 'vitest'
import type { OperationId } from '../../src/contract/index.ts'
import type { RunningApi } from './api.ts'

/** The audit entries of an operation, as the outcomes of its targets. */
export async function auditedRuns({ house }: RunningApi, operation: OperationId): Promise<{ target: string | null; outcome: string }[]> {
  return house.db.auditEntry.findMany({ where: { operation }, select: { target: true, outcome: true }, orderBy: { seq: 'asc' } })
}

/** The job that `Prefer: respond-async` answered, once it has ended. */
export async function endedJob(api: RunningApi, location: string): Promise<Record<string, unknown>> {
  let job: Record<string, unknown> = {}
  await expect.poll(async () => {
    const response = await fetch(`${api.url}${location}`, { headers: { authorization: `svc ${api.adminKey}` } })
    job = (await response.json()) as Record<string, unknown>
    return job['state']
  }, { timeout: 15_000 }).toBeOneOf(['completed', 'failed'])
  return job
}
