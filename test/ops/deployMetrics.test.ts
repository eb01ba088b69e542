import { describe, expect } from 'vitest'
import { operations } from '../../src/contract/index.ts'
import { at, kubernetesObjects, readYaml, type Tree } from '../support/deployFiles.ts'
import { test } from '../support/engine.ts'

interface Rule {
  readonly record?: string
  readonly alert?: string
  readonly expr: string
}

const rules = [...(readYaml('prometheus/rules.yaml')[0]?.['groups'] ?? [])].flatMap((group) => at(group, 'rules') as Rule[])

/** Every metric of the product with the names of its labels. */
async function readMetrics(url: string, key: string): Promise<Map<string, Set<string>>> {
  const text = await (await fetch(`${url}/metrics`, { headers: { Authorization: `svc ${key}` } })).text()
  const metrics = new Map([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => [name, new Set<string>()]))
  for (const [, name = '', labels = ''] of text.matchAll(/^(\w+)\{(.*)\} /gm)) {
    const known = metrics.get(name) ?? metrics.get(name.replace(/_(bucket|sum|count)$/, ''))
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known?.add(label)
  }
  return metrics
}

describe('the rules for Prometheus', () => {
  test('name metrics and labels that the product has, and records that they make', { timeout: 60_000 }, async ({ api, call }) => {
    await call('sirp.query.dispatchWait', { body: { query: 'range 3' } })
    const read = () => readMetrics(api.url, api.adminKey)
    // Workers publish what they count every few seconds.
    await expect.poll(async () => (await read()).get('quern_jobs_total')?.has('outcome'), { timeout: 20_000 }).toBe(true)
    const metrics = await read()
    const recorded = new Set(rules.flatMap(({ record }) => record ?? []))
    for (const { expr, alert, record } of rules) {
      for (const [, name = '', selector = ''] of expr.matchAll(/\b(quern_\w+)(?:\{([^}]*)\})?/g)) {
        const labels = metrics.get(name.replace(/_bucket$/, ''))
        expect(labels, `${alert ?? record}: ${name}`).toBeDefined()
        const asked = [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label)
        expect([...(labels ?? [])], `${alert ?? record}: ${name}`).toEqual(expect.arrayContaining(asked))
      }
      for (const [name] of expr.matchAll(/\bquern:\w+:\w+/g)) expect([...recorded]).toContain(name)
    }
    const alerts = rules.flatMap(({ alert }) => alert ?? [])
    const needed = ['QuernQueriesStuck', 'QuernQueueWaits', 'QuernDatabaseDown', 'QuernRedisDown', 'QuernErrors']
    expect(alerts).toEqual(expect.arrayContaining(needed))
  })

  test('are fed by a scrape that the product answers', () => {
    const job = readYaml('prometheus/scrape.yaml')[0]?.['scrape_configs']?.[0]
    expect(at(job, 'metrics_path')).toBe(operations['system.metrics.read'].path)
    expect(at(job, 'authorization.type')).toBe('svc')
  })
})

describe('the scalers for KEDA', () => {
  const triggersOf = (scaler: Tree): Tree[] => [...(scaler['spec']?.['triggers'] ?? [])]

  test('read the demand of their own type where the product tells it', async ({ api }) => {
    const config = kubernetesObjects('ConfigMap').get('quern')
    for (const [name, scaler] of kubernetesObjects('ScaledObject')) {
      const type = name.replace('quern-', '')
      const triggers = triggersOf(scaler)
      const paths = triggers.map((trigger) => String(at(trigger, 'metadata.valueLocation')))
      expect(paths).toEqual(['workerSeconds', 'active'].map((field) => `items.#(type=="${type}").${field}`))
      const url = new URL(String(at(triggers[0], 'metadata.url')))
      expect([url.pathname, url.hostname]).toEqual([operations['workers.demand.list'].path, 'quern-api'])
      const answer = await fetch(`${api.url}${url.pathname}`, { headers: { Authorization: `svc ${api.adminKey}` } })
      const { items } = (await answer.json()) as { items: Array<Record<string, unknown>> }
      expect(items.find((item) => item['type'] === type)).toMatchObject({ workerSeconds: expect.any(Number), active: expect.any(Number) })
      // Busy processes are kept: their number follows from what they hold.
      const concurrency = Number(at(config, `data.${type.toUpperCase()}_CONCURRENCY`))
      expect(Number(at(triggers[1], 'metadata.targetValue'))).toBeLessThan(concurrency)
    }
  })

  test('show a key as the product wants it', () => {
    const secret = kubernetesObjects('Secret').get('quern-scaler')
    expect(at(kubernetesObjects('TriggerAuthentication').get('quern-scaler'), 'spec.secretTargetRef.0')).toEqual({
      parameter: 'apiKey', name: 'quern-scaler', key: 'authorization',
    })
    expect(at(secret, 'stringData.authorization')).toMatch(/^svc \S+$/)
    for (const scaler of kubernetesObjects('ScaledObject').values()) {
      for (const trigger of triggersOf(scaler)) {
        expect(at(trigger, 'metadata')).toMatchObject({ authMode: 'apiKey', method: 'header', keyParamName: 'Authorization' })
        expect(at(trigger, 'authenticationRef.name')).toBe('quern-scaler')
      }
    }
  })
})
