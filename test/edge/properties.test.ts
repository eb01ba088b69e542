import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { Compile } from 'typebox/compile'
import { operationList, type OperationId } from '../../src/contract/index.ts'
import { fillPath } from '../../src/client/index.ts'
import { test, unknownId, type RunningApi } from '../support/api.ts'
import { bodiesOf } from '../support/arbitrary.ts'
import { mutate } from '../support/mutate.ts'

const runs = 20

/** Rules that a schema cannot say: how a generated body is made to keep them. */
const settle: Partial<Record<OperationId, (body: never) => unknown>> = {
  'gonogo.policy.create': (body: object) => ({ ...body, domain: `d${crypto.randomUUID()}.example` }),
  'gonogo.policy.update': (body: object) => ({ ...body, domain: `d${crypto.randomUUID()}.example` }),
  'secrets.secret.createTyped': (body: object) => ({ ...body, type: 'custom' }),
  'secrets.user.create': (body: { credential: object }) => ({ credential: { ...body.credential, password: 'long enough' } }),
  'secrets.user.update': (body: { credential: object }) => ({ credential: { ...body.credential, password: 'long enough', oldpassword: 'long enough' } }),
  'sirp.schedule.updateById': (body: object) => ({ ...body, queryId: unknownId }),
  'almanac.schedule.create': (body: object) => ({ ...body, sirpURL: 'https://queries.example/' }),
  'schedules.schedule.create': (body: object) => ({ ...body, sirpURL: 'https://queries.example/' }),
  'sirp.template.create': (body: object) => ({ ...body, templateSchema: { properties: { count: { type: 'integer' } } } }),
  'gonogo.policy.simulate': ({ domain: _domain, ...body }: { domain?: string }) => ({ policy: {}, ...body }),
  'sirp.command.dispatch': (body: object) => ({ ...body, command: 'range', flags: {} }),
  'gonogo.policy.check': () => ({ domainDispatches: [[Date.now()], [Date.now() - 500, 'ignored']] }),
}

const bodies = operationList.filter(([, { body, form }]) => body && !form)

describe('every JSON body', () => {
  test.for(bodies)('%s: what the schema accepts is accepted, what it refuses is a 400, nothing is a 500', { timeout: 60_000 }, async ([id, operation], { api }) => {
    const schema = operation.body ?? {}
    const compiled = Compile(schema)
    const params = pathParams(operation.path)
    await fc.assert(
      fc.asyncProperty(bodiesOf(schema), fc.nat(), async (generated, seed) => {
        const body = settle[id] ? settle[id](generated as never) : generated
        const accepted = await sendBody(api, id, operation.method, fillPath(operation.path, params), body)
        expect([200, 201, 202, 403, 404, 409, 422, 429, 501], `${id} ${accepted.text}`).toContain(accepted.status)
        const mutant = mutate(body, seed)
        if (compiled.Check(mutant)) return
        const refused = await sendBody(api, id, operation.method, fillPath(operation.path, params), mutant)
        expect(refused.status, `${id} ${JSON.stringify(mutant)} ${refused.text}`).toBe(400)
        expect(JSON.parse(refused.text)).toMatchObject({ code: 'validation_failed', errors: expect.arrayContaining([{ path: expect.any(String), message: expect.any(String) }]) })
      }),
      { numRuns: runs },
    )
  })
})

/** Values for path parameters that are well formed and name nothing. */
function pathParams(path: string): Record<string, string> {
  const known: Record<string, string> = { type: path.startsWith('/v1/secrets/:type') ? 'custom' : 'attribute', id: unknownId, domain: 'nowhere.example' }
  return Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, name = '']) => [name, known[name] ?? 'nothing']))
}

async function sendBody(api: RunningApi, id: string, method: string, path: string, body: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(api.url + path, {
    method,
    // No browser is there to wait for.
    headers: { authorization: `svc ${api.adminKey}`, 'content-type': 'application/json', prefer: 'respond-async' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  expect(response.status, `${id} ${text}`).not.toBe(500)
  return { status: response.status, text }
}
