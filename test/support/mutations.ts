import { operations, type OperationId } from '../../src/contract/index.ts'
import type { Operation } from '../../src/contract/define.ts'
import type { RunningApi } from './api.ts'
import { keepQuery } from './keptQueries.ts'
import { licenseBody, signLicense } from './licenses.ts'
import { addJob, addFailedJob } from './queuedJobs.ts'

/** A record as an operation answered it. */
export type Answered = Readonly<Record<string, unknown>>

/** One call of an operation that changes something. */
export interface Mutation {
  readonly id: OperationId
  /** Path parameters, where they are not fields of the record that the life began with. */
  readonly params?: Readonly<Record<string, string>>
  /** The body, where it is not the operation's own example. */
  readonly body?: (record: Answered) => unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Stores what the call needs and no operation makes by itself. */
  readonly before?: (api: RunningApi) => Promise<unknown>
}

/** What is made, and then changed and unmade, call by call. */
export interface Life {
  readonly begin: Mutation
  readonly after: readonly Mutation[]
}

const inExport = { queue: 'export' }
const keptId = '7b0f3c52-2f0e-4a55-9d0b-6f1f5a3c9e11'

const exampleOf = (id: OperationId): object => (operations[id] as Operation).example as object

const life = (begin: OperationId | Mutation, ...after: (OperationId | Mutation)[]): Life => {
  const mutation = (given: OperationId | Mutation): Mutation => (typeof given === 'string' ? { id: given } : given)
  return { begin: mutation(begin), after: after.map(mutation) }
}

/** The body of a call: as given, else the operation's example. */
export const bodyOf = async ({ id, body }: Mutation, record: Answered): Promise<unknown> => (body ? await body(record) : exampleOf(id))

/** They are jobs, whose worker is not needed to begin them. */
const browserOperations = [
  'krull.expression.evaluate', 'krull.page.requests', 'krull.page.evaluate', 'krull.page.selector', 'krull.page.session', 'krull.page.screenshot', 'krull.page.form',
  'browser.expression.evaluate', 'browser.page.requests', 'browser.page.evaluate', 'browser.page.selector', 'browser.page.screenshot', 'browser.page.form',
] as const

/** A call of every operation that changes something; each life stands by itself. */
export const lives: readonly Life[] = [
  life('gonogo.policy.create', 'gonogo.policy.update', 'gonogo.policy.delete'),
  life({ id: 'gonogo.policy.enforce', params: { domain: 'shop.example', id: '3f0e5b5e-6a34-4c1e-9d4a-0b8a4a3a9a52' } }),
  life('secrets.apiKey.generate', 'secrets.apiKey.delete'),
  life('secrets.checkpoint.create', 'secrets.checkpoint.update', 'secrets.checkpoint.delete'),
  life('secrets.credential.create', 'secrets.credential.update', 'secrets.credential.delete'),
  life('secrets.prompt.create', 'secrets.prompt.update', 'secrets.prompt.delete'),
  life('secrets.secret.create', 'secrets.secret.delete'),
  life({ id: 'secrets.secret.createTyped', params: { type: 'custom' } }),
  life('secrets.store.create', 'secrets.store.update', 'secrets.store.delete'),
  life('secrets.user.create', 'secrets.user.update'),
  life('sirp.cellarFile.upload', 'sirp.cellarFile.delete'),
  life('sirp.cellarManifest.add', 'sirp.cellarManifest.touch', 'sirp.cellarManifest.touchErrors', 'sirp.cellarManifest.delete'),
  life('sirp.template.create', 'sirp.template.update', 'sirp.template.delete'),
  life(
    'sirp.schedule.create',
    { id: 'sirp.schedule.update', body: ({ id }) => ({ ...exampleOf('sirp.schedule.update'), queryId: id }) },
    'sirp.schedule.updateById',
    'sirp.schedule.run',
    'sirp.schedule.disable',
    'sirp.schedule.enable',
    'sirp.schedule.delete',
  ),
  life('almanac.schedule.create'),
  life({ id: 'schedules.schedule.create', body: () => ({ ...exampleOf('schedules.schedule.create'), queryId: 'another' }) }),
  life({ id: 'sirp.query.delete', params: { id: keptId }, before: ({ house }) => keepQuery(house, { id: keptId }) }),
  life('sirp.query.dispatch', 'sirp.query.cancel'),
  life('sirp.command.dispatch', 'sirp.query.finalize'),
  life('sirp.service.restartAll'),
  life({ id: 'sirp.service.restart', params: { type: 'licorice' } }),
  life('krull.service.restart'),
  life('screenshot.service.restart'),
  life('gonogo.service.restart'),
  life({ id: 'jobs.queue.pause', params: inExport }, ...(['drain', 'replay', 'resume'] as const).map((verb) => ({ id: `jobs.queue.${verb}` as const, params: inExport }))),
  life({ id: 'jobs.job.retry', params: { ...inExport, id: 'failed-one' }, before: ({ house }) => addFailedJob(house, 'export', 'failed-one') }),
  life({ id: 'jobs.job.delete', params: { ...inExport, id: 'waiting-one' }, before: ({ house }) => addJob(house, 'export', 'waiting-one') }),
  ...browserOperations.map((id) => life({ id, headers: { Prefer: 'respond-async' } })),
  life('mentos.stream.create', 'mentos.stream.delete'),
  life({ id: 'licorice.license.add', body: async () => licenseBody(await signLicense()) }),
  life({ id: 'licorice.license.upload', body: async () => licenseBody(await signLicense({ plan: 'other' })) }),
]
