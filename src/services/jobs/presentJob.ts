import type { Job as QueuedJob } from 'bullmq'
import { jobStates, type Job } from '../../contract/jobs/jobs.ts'
import { redact } from '../../platform/logger.ts'

const instant = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString())

/** A job as the operations show it: what it carries stays inside. */
export function presentJob(job: QueuedJob, state: string): Job {
  const result: unknown = job.returnvalue
  return {
    id: job.id ?? '',
    queue: job.queueName,
    name: job.name,
    state: jobStates.find((known) => known === state) ?? 'unknown',
    attempts: job.attemptsMade,
    createdAt: new Date(job.timestamp).toISOString(),
    startedAt: instant(job.processedOn),
    finishedAt: instant(job.finishedOn),
    ...(state === 'completed' && result !== null && result !== undefined ? { result } : {}),
    ...(state === 'failed' ? { error: { code: 'internal', detail: redact(job.failedReason) } } : {}),
  }
}
