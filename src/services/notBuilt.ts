import type { OperationId } from '../contract/index.ts'

/** Operations of the interface whose engine is still to come, by that engine; they answer 501 `not_built`. */
export const notBuilt = {
  'the browser cluster': [
    'krull.expression.evaluate',
    'krull.page.requests',
    'krull.page.evaluate',
    'krull.page.selector',
    'krull.page.session',
    'krull.page.screenshot',
    'krull.page.form',
    'krull.screenshot.stream',
    'krull.device.list',
    'krull.system.read',
    'browser.expression.evaluate',
    'browser.page.requests',
    'browser.page.evaluate',
    'browser.page.selector',
    'browser.page.screenshot',
    'browser.page.form',
    'screenshot.image.read',
  ],
  'the service registry': [
    'sirp.service.restartAll',
    'sirp.service.restart',
    'sirp.service.status',
    'sirp.service.statuses',
    'krull.service.restart',
    'screenshot.service.restart',
    'gonogo.service.restart',
    'jobs.job.list',
    'jobs.job.read',
    'jobs.job.delete',
    'jobs.job.retry',
    'workers.worker.list',
  ],
  'the store drivers': ['mentos.stream.write', 'secrets.store.test'],
} as const satisfies Record<string, readonly OperationId[]>

export type NotBuilt = (typeof notBuilt)[keyof typeof notBuilt][number]

/** The engine that an operation waits for, or undefined where it is built. */
export function engineOf(id: OperationId): string | undefined {
  return Object.entries(notBuilt).find(([, ids]) => (ids as readonly OperationId[]).includes(id))?.[0]
}
