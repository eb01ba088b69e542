import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { pickLoopbackPort } from '../../ops/up/freePort.ts'
import { fillPath } from '../../src/client/index.ts'
import { operationList } from '../../src/contract/index.ts'
import { credentialTypes } from '../../src/contract/secrets/credentialTypes/index.ts'
import { storeTypes } from '../../src/contract/secrets/storeTypes/index.ts'
import { pause } from '../../src/platform/clock.ts'
import { openProducerRedis } from '../../src/platform/redis.ts'
import { openLogger } from '../../src/platform/logger.ts'
import { processSettings, startBuilt } from '../support/builtProcess.ts'
import { cloneDatabase } from '../support/database.ts'
import { plantCanaries } from '../support/canaries.ts'

const adminKey = `canary-admin-key-${crypto.randomUUID()}`

interface Sent {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

describe('secrets', () => {
  test('appear in no log, answer, error, Redis key or temporary file, and in the database only encrypted', { timeout: 120_000 }, async () => {
    const database = await cloneDatabase()
    onTestFinished(database.drop)
    const temp = mkdtempSync(join(tmpdir(), 'canary-'))
    onTestFinished(() => rmSync(temp, { recursive: true }))
    const settings: Record<string, string> = { ...processSettings(database.url), BOOTSTRAP_API_KEY: adminKey, PORT: String(await pickLoopbackPort(null)), TMPDIR: temp, LOG_LEVEL: 'trace' }
    const api = startBuilt('src/api/main.js', settings)
    await api.says('listening')

    const canaries = new Set<string>([adminKey, settings['MASTER_KEY'] ?? ''])
    const answers: string[] = []
    for (const { method, path, body } of requests(canaries)) {
      const response = await sendRetrying(`http://127.0.0.1:${settings['PORT']}${path}`, method, body)
      answers.push(`${response.status} ${[...response.headers.values()].join(' ')} ${await response.text()}`)
    }
    expect(answers.filter((answer) => answer.startsWith('201')).length).toBeGreaterThan(40)
    expect(answers.filter((answer) => answer.startsWith('5') && !answer.startsWith('501'))).toEqual([])

    const seen = {
      answers: answers.join('\n'),
      logs: [...api.lines, ...api.errorLines].join('\n'),
      database: await dumpDatabase(database.url),
      redis: await dumpRedis(settings['REDIS_PREFIX'] ?? ''),
      files: readdirSync(temp, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1')).join('\n'),
    }
    for (const [place, text] of Object.entries(seen)) expect([...canaries].filter((canary) => text.includes(canary)), place).toEqual([])
    expect(seen.database).toContain('canary-visible-name')
    expect(seen.logs).toContain('secrets.credential.create')
  })
})

/** Every way in which a client can hand over a secret: well formed, refused, and in the wrong place. */
function requests(canaries: Set<string>): Sent[] {
  const plant = <Value>(value: Value): Value => plantCanaries(value, canaries)
  const secret = (): string => plant('secret')
  const typed = [
    ...Object.entries(credentialTypes).map(([type, { schema, example }]) => ({ path: '/v1/secrets/credentials', type, schema, config: example as object })),
    ...Object.entries(storeTypes).map(([type, { schema, example }]) => ({ path: '/v1/secrets/stores', type, schema, config: example as object })),
  ].map(({ path, type, schema, config }) => ({ path, type, config: plantCanaries(config, canaries, schema) }))
  const user = (credential: object) => ({ credential })
  const password = secret()
  return [
    ...typed.flatMap(({ path, type, config }) => [
      { method: 'POST', path, body: { type, config } },
      { method: 'POST', path, body: { type, config: { ...config, unknown: secret() } } },
      { method: 'POST', path, body: { type: 'no such type', config } },
    ]),
    { method: 'GET', path: '/v1/secrets/credentials', body: undefined },
    { method: 'GET', path: '/v1/secrets/stores', body: undefined },
    { method: 'POST', path: '/v1/secrets', body: { name: 'canary-visible-name', secret: secret() } },
    { method: 'POST', path: '/v1/secrets/apikey', body: { name: 'canary', secret: secret(), metadata: { type: 'x' } } },
    { method: 'POST', path: '/v1/secrets', body: { name: '', secret: secret() } },
    { method: 'POST', path: '/v1/secrets/users', body: user({ username: 'canary', password }) },
    { method: 'POST', path: '/v1/secrets/users/verify', body: user({ username: 'canary', password: secret() }) },
    { method: 'PUT', path: '/v1/secrets/users/canary', body: user({ username: 'canary', password: secret(), oldpassword: secret() }) },
    { method: 'PUT', path: '/v1/secrets/users/canary', body: user({ username: 'canary', password: secret(), oldpassword: password }) },
    { method: 'POST', path: '/v1/secrets/apikeys/verify', body: { key: secret() } },
    { method: 'POST', path: '/v1/krull/page/evaluate', body: browserBody(secret) },
    { method: 'POST', path: '/v1/krull/page/form', body: { url: 'https://shop.example/', selectorValuePairs: [['#password', secret()]], submitSelector: '#go' } },
    ...operationList
      .filter(([, { method, body }]) => method !== 'GET' && body)
      .map(([, { method, path }]) => ({ method, path: fillPath(path, { id: crypto.randomUUID(), type: 'custom', name: 'x', username: 'x', domain: 'x', queue: 'query' }), body: { wrong: secret(), secret: [secret()] } })),
  ]
}

/** A page with secrets in every option that can hold one. */
const browserBody = (secret: () => string): object => ({
  url: `https://shop.example/?token=${secret()}`,
  expression: `() => '${secret()}'`,
  args: [secret()],
  headers: { authorization: secret() },
  cookieStorage: { sid: { value: secret() } },
  localStorage: { token: secret() },
  sessionStorage: { token: secret() },
  proxy: `http://user:${secret()}@proxy.example:8080`,
})

async function sendRetrying(url: string, method: string, body: unknown): Promise<Response> {
  for (;;) {
    const response = await fetch(url, {
      method,
      headers: { authorization: `svc ${adminKey}`, prefer: 'respond-async', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (response.status !== 401) return response
    await pause(50) // the bootstrap key is stored right after the process listens
  }
}

/** Every value of every table as text. */
async function dumpDatabase(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>("SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'")
  const texts: string[] = []
  for (const { name } of tables) texts.push(JSON.stringify((await client.query(`SELECT t::text FROM "${name}" t`)).rows))
  await client.end()
  return texts.join('\n')
}

async function dumpRedis(prefix: string): Promise<string> {
  const redis = openProducerRedis(inject('redisUrl'), openLogger('silent', 'canary'))
  await new Promise((ready) => redis.once('ready', ready))
  const keys = await redis.keys(`${prefix}*`)
  const dumps = await Promise.all(keys.map(async (key) => `${key} ${(await redis.dumpBuffer(key))?.toString('latin1')}`))
  redis.disconnect()
  return dumps.join('\n')
}
