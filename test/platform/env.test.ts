import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readEnv, settings, SettingsError } from '../../src/platform/env.ts'

type Key = keyof typeof settings

interface Row {
  /** Texts that are taken, each with the value that it becomes. */
  readonly right: readonly (readonly [text: string, value: unknown])[]
  readonly wrong: readonly string[]
}

const same = (...texts: string[]) => texts.map((text) => [text, text] as const)
const numbers = (least: number, most: number): Row => ({
  right: [[String(least), least], [String(most), most], [` ${least} `, least]],
  wrong: [String(least - 1), String(most + 1), '1.5', '1e3', '0x10', '+5', 'many', '1 0', '９'],
})
const key = 'k'.repeat(32)
const vendor = generateKeyPairSync('ed25519')
const pem = (publicKey: KeyObject): string => publicKey.export({ type: 'spki', format: 'pem' }).toString().trim()

const rows: Readonly<Record<Key, Row>> = {
  port: numbers(1, 65_535),
  host: { right: same('::', 'a', 'h'.repeat(255)), wrong: ['h'.repeat(256)] },
  databaseUrl: { right: same('postgres://a', 'postgresql://u:p@h:5432/d'), wrong: ['mysql://a', 'a', '//a', 'http://a'] },
  redisUrl: { right: same('redis://a', 'rediss://:p%25@h:1/2'), wrong: ['http://a', 'a:6379', 'redis://:p%@a', 'redis://u%zz@a', 'redis://:%ff@a'] },
  redisPrefix: { right: same('a', 'A-b_9', 'p'.repeat(64)), wrong: ['p'.repeat(65), 'a:b', 'a b', 'ä'] },
  dataDir: { right: [['.data', resolve('.data')], ['/x/../y', '/y']], wrong: [] },
  bootstrapApiKey: {
    right: same(key, 'k'.repeat(1000), `${key}!",~`),
    wrong: ['k'.repeat(31), 'k'.repeat(1001), `${key} ${key}`, `${key}ä`],
  },
  masterKey: {
    right: same(key, 'k'.repeat(1000), `${key}!~+/=`),
    wrong: ['k'.repeat(31), 'k'.repeat(1001), `${key} ${key}`, `${key},${key}`, `${key}ä`],
  },
  masterKeyPrevious: { right: [['', []], [`${key}, ${key}x,`, [key, `${key}x`]]], wrong: ['k'.repeat(31), `${key},short`] },
  authScheme: { right: same('svc', 'Bearer', 'a'.repeat(32)), wrong: ['a'.repeat(33), '9a', '-a', 'a b', 'a_b'] },
  egressAllow: {
    right: [
      ['', []],
      ['10.0.0.0/8, ::1/128,fd00::/8', ['10.0.0.0/8', '::1/128', 'fd00::/8']],
      ['localhost:8080, 127.0.0.1:1,[::1]:65535', ['localhost:8080', '127.0.0.1:1', '[::1]:65535']],
    ],
    wrong: [
      'true', '10.0.0.0', '10.0.0.0/33', '::1/129', '10.0.0/8', '10.0.0.0/8;::1/128',
      'localhost', 'localhost:0', 'localhost:65536', 'a b:80', 'http://a:80', '*:80',
    ],
  },
  cellarMaxBytes: {
    right: [['1', 1], ['512MiB', 536_870_912], ['1 GiB', 1_073_741_824], ['7B', 7], ['2KiB', 2048]],
    wrong: ['0', '-1', '1.5GiB', '1GB', '1gib', 'GiB', '999999999999999GiB'],
  },
  dispatchWaitMs: numbers(1, 600_000),
  maxQueued: numbers(1, 100_000_000),
  maxQueuedPerKey: numbers(1, 100_000_000),
  cacheTtlS: numbers(1, 31_536_000),
  fetchConcurrency: numbers(1, 10_000),
  fetchMaxBytes: { right: [['1', 1], ['64MiB', 67_108_864]], wrong: ['0', '1GB'] },
  fetchTimeoutMs: numbers(1, 3_600_000),
  stageMemory: { right: [['1', 1], ['96MiB', 100_663_296]], wrong: ['0', '1GB'] },
  chromePath: { right: same('/usr/bin/chromium', 'c'.repeat(4096)), wrong: ['c'.repeat(4097)] },
  policyDefault: {
    right: same('off', '1/10/60', '0/0/0', '999999999/1/1'),
    wrong: ['on', '1/10', '1/10/60/', '-1/1/1', '1.5/1/1', '1000000000/1/1'],
  },
  licensePublicKey: {
    right: same(pem(vendor.publicKey), pem(vendor.publicKey).replaceAll('\n', '\\n'), String(vendor.publicKey.export({ format: 'jwk' }).x)),
    wrong: ['k', 'public', 'k'.repeat(44), vendor.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), pem(generateKeyPairSync('x25519').publicKey)],
  },
  logLevel: { right: same('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'), wrong: ['INFO', 'verbose'] },
  otlpEndpoint: {
    right: same('http://127.0.0.1:4318', 'https://collector.example/otlp/'),
    wrong: ['collector:4318', 'grpc://a', 'http://u:p@a', 'http://u@a', 'http://a/?x', 'http://a/#x', 'a'],
  },
  otlpHeaders: { right: [['', []], ['a=b, x-key=%2C=,', ['a=b', 'x-key=%2C=']]], wrong: ['a', '=b', 'a b=c', 'a=%zz', 'a=ä'] },
  databasePool: numbers(1, 500),
  maxConnections: numbers(1, 1_000_000),
  maxRequests: numbers(1, 1_000_000),
  maxRequestsPerKey: numbers(1, 1_000_000),
  bodyTimeoutMs: numbers(100, 3_600_000),
  headersTimeoutMs: numbers(100, 600_000),
  idleTimeoutMs: numbers(100, 600_000),
  stallTimeoutMs: numbers(100, 3_600_000),
  queryConcurrency: numbers(1, 1000),
  browserConcurrency: numbers(1, 100),
  browserJobMs: numbers(100, 3_600_000),
  browserNavMs: numbers(100, 3_600_000),
  browserNoSandbox: { right: same('yes', 'no'), wrong: ['true', 'YES', '1'] },
  browserRecycleJobs: numbers(1, 1_000_000),
  browserRecycleMinutes: numbers(1, 100_000),
  browserRecycleMemory: { right: [['1', 1], ['2GiB', 2_147_483_648]], wrong: ['0', '1GB'] },
  browserReserveMemory: { right: [['1', 1], ['512MiB', 536_870_912]], wrong: ['0', '1GB'] },
  browserCpuPressure: numbers(1, 100),
  exportConcurrency: numbers(1, 1000),
}

const keys = Object.keys(rows) as Key[]

const problemOf = (source: Record<string, string>): string => {
  try {
    readEnv(source)
  } catch (error) {
    if (error instanceof SettingsError) return error.message
    throw error
  }
  return ''
}

describe('the settings', () => {
  test('are all in the table of this test', () => {
    expect(keys.toSorted()).toEqual(Object.keys(settings).toSorted())
  })

  test('have names of their own, each said in words', () => {
    const all = Object.values(settings)
    expect(new Set(all.map((row) => row.name)).size).toBe(all.length)
    for (const { name, doc } of all) {
      expect(name).toMatch(/^[A-Z][A-Z_]+$/)
      expect(doc).toMatch(/^[A-Z`].{10,}\.$/)
    }
  })

  test('have defaults that they take themselves, and are frozen', () => {
    const env = readEnv({})
    expect(env).toMatchObject({ port: 1968, host: '127.0.0.1', authScheme: 'svc', cellarMaxBytes: 2 ** 30, policyDefault: '1/10/60' })
    expect(env.databaseUrl).toBeUndefined()
    expect(Object.isFrozen(env)).toBe(true)
  })

  test.for(keys)('%s takes what it may be', (name) => {
    for (const [text, value] of rows[name].right) expect(readEnv({ [settings[name].name]: text })[name]).toEqual(value)
  })

  test.for(keys)('%s refuses what it may not be, and names itself', (name) => {
    const variable = settings[name].name
    const refusal = expect.stringMatching(new RegExp(`^${variable} must `)) as string
    for (const text of rows[name].wrong) expect([text, problemOf({ [variable]: text })]).toEqual([text, refusal])
  })

  test('count as unset when they are blank', () => {
    expect(readEnv({ PORT: '  ', MASTER_KEY: '' })).toMatchObject({ port: 1968, masterKey: undefined })
  })

  test('tell all their problems at once, one a line, with the value that was given', () => {
    const lines = problemOf({ PORT: '70000', LOG_LEVEL: 'loud', DATABASE_POOL: '0', HOST: 'ok' }).split('\n')
    expect(lines).toEqual([
      'PORT must be a whole number from 1 to 65535 (it is "70000")',
      'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent (it is "loud")',
      'DATABASE_POOL must be a whole number from 1 to 500 (it is "0")',
    ])
  })

  test('that are secret are never echoed', () => {
    const secret = keys.filter((name) => 'secret' in settings[name])
    expect(secret.toSorted()).toEqual(['bootstrapApiKey', 'databaseUrl', 'masterKey', 'masterKeyPrevious', 'otlpHeaders', 'redisUrl'])
    const message = problemOf(Object.fromEntries(secret.map((name) => [settings[name].name, 'canary secret'])))
    expect(message.split('\n')).toHaveLength(secret.length)
    expect(message).not.toContain('canary')
    expect(problemOf({ LICENSE_PUBLIC_KEY: '-----BEGIN PRIVATE KEY-----canary' })).not.toContain('canary')
  })
})
