import { describe, expect } from 'vitest'
import { operationList } from '../../src/contract/index.ts'
import { engineOf, notBuilt } from '../../src/services/notBuilt.ts'
import { test } from '../support/api.ts'

describe('operations whose engine is still to come', () => {
  test('are exactly these', () => {
    expect(Object.fromEntries(Object.entries(notBuilt).map(([engine, ids]) => [engine, ids.toSorted()]))).toMatchInlineSnapshot(`
      {
        "the browser cluster": [
          "browser.expression.evaluate",
          "browser.page.evaluate",
          "browser.page.form",
          "browser.page.requests",
          "browser.page.screenshot",
          "browser.page.selector",
          "krull.device.list",
          "krull.expression.evaluate",
          "krull.page.evaluate",
          "krull.page.form",
          "krull.page.requests",
          "krull.page.screenshot",
          "krull.page.selector",
          "krull.page.session",
          "krull.screenshot.stream",
          "krull.system.read",
          "screenshot.image.read",
        ],
        "the domain governor": [
          "gonogo.policy.enforce",
        ],
        "the query engine": [
          "sirp.command.dispatch",
          "sirp.command.list",
          "sirp.query.cancel",
          "sirp.query.decorate",
          "sirp.query.delete",
          "sirp.query.dispatch",
          "sirp.query.dispatchWait",
          "sirp.query.events",
          "sirp.query.list",
          "sirp.query.parse",
          "sirp.query.read",
          "sirp.query.results",
          "sirp.query.screenshots",
          "sirp.query.status",
          "sirp.query.summary",
          "sirp.query.summaryStatus",
          "sirp.stage.commands",
          "sirp.stage.list",
          "sirp.stage.read",
          "sirp.stage.results",
          "sirp.template.dispatchWait",
          "sirp.template.parse",
        ],
        "the service registry": [
          "gonogo.service.restart",
          "jobs.job.delete",
          "jobs.job.list",
          "jobs.job.read",
          "jobs.job.retry",
          "krull.service.restart",
          "screenshot.service.restart",
          "sirp.service.restart",
          "sirp.service.restartAll",
          "sirp.service.status",
          "sirp.service.statuses",
          "workers.worker.list",
        ],
        "the store drivers": [
          "mentos.stream.write",
          "secrets.store.test",
        ],
      }
    `)
  })

  test('answer 501 not_built, behind the same keys as all others', async ({ api }) => {
    for (const [id, { method, path }] of operationList.filter(([id]) => engineOf(id) !== undefined)) {
      const url = api.url + path.replaceAll(':id', '00000000-0000-4000-8000-000000000000').replace(/:\w+/g, 'x')
      const refused = await fetch(url, { method })
      expect(refused.status, id).toBe(401)
      await refused.body?.cancel()
    }
  })

  test('say which engine they wait for', async ({ call }) => {
    await expect(call('sirp.query.dispatch', { body: { query: 'range 3' } })).rejects.toMatchObject({
      status: 501,
      code: 'not_built',
      message: expect.stringContaining('the query engine'),
    })
  })
})
