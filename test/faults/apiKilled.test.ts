import { describe, expect, onTestFinished, test } from 'vitest'
import { CallFailed, createClient } from '../../src/client/index.ts'
import { pause } from '../../src/platform/clock.ts'
import { pickLoopbackPort } from '../../ops/up/freePort.ts'
import { processSettings, startBuilt } from '../support/builtProcess.ts'
import { cloneDatabase } from '../support/database.ts'

const rounds = 5
const clients = 8
const key = 'a-key-of-thirty-two-characters-or-more'

describe('kill -9 of the API under writes', () => {
  test('loses no acknowledged write, leaves no half one, and repeats under an Idempotency-Key create nothing twice', { timeout: 120_000 }, async () => {
    const database = await cloneDatabase()
    onTestFinished(database.drop)
    const settings = { ...processSettings(database.url), BOOTSTRAP_API_KEY: key, PORT: String(await pickLoopbackPort(null)) }
    const call = createClient({ baseUrl: `http://127.0.0.1:${settings.PORT}`, apiKey: key })
    const ledger = new Map<string, string>()

    for (let round = 0; round < rounds; round += 1) {
      const api = startBuilt('src/api/main.js', settings)
      await api.says('listening')
      await whenAnswering(() => call('gonogo.policy.list'))
      const writers = Array.from({ length: clients }, (_, client) => write(call, ledger, `r${round}c${client}`))
      await enough(ledger, (round + 1) * 40)
      api.signal('SIGKILL')
      expect(await api.exited).toBe('SIGKILL')
      await Promise.all(writers)
    }

    const api = startBuilt('src/api/main.js', settings)
    await api.says('listening')
    await whenAnswering(() => call('gonogo.policy.list'))
    for (const [domain, id] of ledger) {
      const again = await call('gonogo.policy.create', { body: bodyOf(domain), headers: { 'Idempotency-Key': domain } })
      expect(again).toMatchObject({ id, domain })
    }
    const { total } = await call('gonogo.policy.list', { query: { limit: 1 } })
    expect(total).toBeGreaterThanOrEqual(ledger.size)
    expect(total).toBeLessThanOrEqual(ledger.size + rounds * clients)
  })
})

const bodyOf = (domain: string) => ({ name: 'killed', domain, policy: { perSecond: 1 } })

/** Creates policies until the API is gone; each is in the ledger as soon as it is acknowledged. */
async function write(call: ReturnType<typeof createClient>, ledger: Map<string, string>, name: string): Promise<void> {
  for (let n = 0; ; n += 1) {
    const domain = `${name}n${n}.example`
    try {
      const { id } = await call('gonogo.policy.create', { body: bodyOf(domain), headers: { 'Idempotency-Key': domain } })
      ledger.set(domain, id)
    } catch (error) {
      if (error instanceof CallFailed) throw error
      return
    }
  }
}

async function enough(ledger: Map<string, string>, count: number): Promise<void> {
  while (ledger.size < count) await pause(5)
}

async function whenAnswering(probe: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await probe()
      return
    } catch {
      await pause(20)
    }
  }
}
