import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readImports } from './support/imports.ts'
import { findBreaches, readSources, type Source } from './support/walls.ts'

const file = (path: string, text: string): Source => ({ path, text })

describe('the walls', () => {
  test('hold in every file of src and workers', async () => {
    const sources = await readSources(resolve('.'))
    expect(sources.length).toBeGreaterThan(100)
    expect(findBreaches(sources)).toEqual([])
  })

  test.for<[path: string, text: string, reason: string]>([
    ['src/contract/a.ts', `import { readEnv } from '../platform/env.ts'`, 'src/contract may import packages only'],
    ['src/contract/a.ts', `import { join } from 'node:path'`, 'no package but ^typebox$'],
    ['src/platform/a.ts', `import type { House } from '../services/house.ts'`, 'src/platform may import packages only'],
    ['src/client/a.ts', `import { Problem } from '../platform/errors.ts'`, 'src/client may import src/contract'],
    ['src/query/a.ts', `import { Redis } from 'ioredis'`, 'the language knows no Redis'],
    ['src/query/a.ts', `import type { Queue } from "bullmq"`, 'the language knows no Redis'],
    ['src/query/a.ts', `import type { Database } from '../platform/prisma/database.ts'`, 'the language knows no Redis'],
    ['src/query/lib/a.ts', `export { openWorkerRedis } from '../../platform/redis.ts'`, 'the language knows no Redis'],
    ['src/queues/a.ts', `import { resealAll } from '../services/reseal.ts'`, 'src/queues may import src/contract, src/platform'],
    ['src/governor/a.ts', `import { openQueue } from '../queues/connect.ts'`, 'src/governor may import'],
    ['src/services/a.ts', `import { buildApp } from '../api/app.ts'`, 'src/services may import'],
    ['src/services/a.ts', `import Koa from 'koa'`, 'only src/api/ may'],
    ['src/api/a.ts', `import { runWorker } from '../../workers/lib/runWorker.ts'`, 'src/api may import'],
    ['src/api/a.ts', `import { parse } from '../query/parse.ts'`, 'src/api may import'],
    ['src/api/a.ts', `import { up } from '../../ops/up.ts'`, 'src/api may import'],
    ['src/console/a.ts', `import { Problem } from '../platform/errors.ts'`, 'src/console may import'],
    ['workers/a.ts', `import { buildApp } from '../src/api/app.ts'`, 'workers may import'],
    ['workers/a.ts', `import type { Context } from 'koa'`, 'only src/api/ may'],
    ['workers/query/a.ts', `import puppeteer from 'puppeteer'`, 'only workers/browser/ may'],
    ['src/services/a.ts', `const { Cluster } = await import('puppeteer-cluster')`, 'only workers/browser/ may'],
    ['workers/browser/a.ts', `import Bottleneck from 'bottleneck/es5.js'`, 'only src/governor/ may'],
    ['src/platform/tracing.ts', `import { trace } from '@opentelemetry/api'`, 'only src/platform/spanSink.ts may'],
    ['src/services/a.ts', `const driver = await import(name)`, 'only a literal name can be checked'],
    ['src/services/a.ts', `const port = process.env['PORT']`, 'reads process.env'],
    ['workers/a.ts', `const { env, pid } = process`, 'reads process.env'],
    ['workers/a.ts', `import { env } from 'node:process'`, 'reads process.env'],
    ['src/extra/a.ts', `export const a = 1`, 'src/extra/a.ts is in no zone'],
  ])('are seen to be broken by %s with %s', ([path, text, reason]) => {
    const [breach, ...more] = findBreaches([file(path, text)])
    expect(breach).toContain(reason)
    expect(more).toEqual([])
  })

  test.for<[path: string, text: string]>([
    ['src/contract/a.ts', `import { Type } from 'typebox'\nimport { b } from './b/c.ts'`],
    ['src/governor/a.ts', `import Bottleneck from 'bottleneck'`],
    ['workers/browser/pool.ts', `import { Cluster } from 'puppeteer-cluster'\nimport { x } from '../../src/services/x.ts'`],
    ['src/services/a.ts', `// import Koa from 'koa'\n/* process.env */ const words = "import Koa from 'koa'"`],
    ['src/platform/env.ts', `const source = process.env`],
  ])('let %s pass with %s', ([path, text]) => {
    expect(findBreaches([file(path, text)])).toEqual([])
  })

  test('show a cycle of files, but none that only types close', () => {
    const a = file('src/query/a.ts', `import { b } from './b.ts'`)
    const c = file('src/query/c.ts', `import { a } from './a.ts'`)
    const b = file('src/query/b.ts', `export * from './c.ts'`)
    expect(findBreaches([a, b, c])).toEqual(['src/query/a.ts -> src/query/b.ts -> src/query/c.ts -> src/query/a.ts is a cycle'])
    const typed = file('src/query/b.ts', `import type { C } from './c.ts'\nexport type { D } from './c.ts'`)
    expect(findBreaches([a, typed, c])).toEqual([])
  })
})

describe('the reader of imports', () => {
  test('finds every form of import', () => {
    const source = `
      import 'side-effect'
      import one, { two as three } from 'plain'
      import {
        type Four,
      } from "over-lines"
      import type { Five } from 'only-a-type'
      export * as six from 'again'
      export type { Seven } from 'type-again'
      import * as type from 'star'
      const eight = await import('later')
      type Nine = typeof import('type-query')
      const ten = createRequire(import.meta.url).resolve('resolved/package.json')
    `
    const found = readImports(source)
    expect(found.map(({ of }) => of)).toEqual([
      'side-effect', 'plain', 'over-lines', 'only-a-type', 'again', 'type-again', 'star', 'later', 'type-query', 'resolved/package.json',
    ])
    expect(found.filter(({ typeOnly }) => typeOnly).map(({ of }) => of)).toEqual(['only-a-type', 'type-again'])
    expect(found.filter(({ dynamic }) => dynamic).map(({ of }) => of)).toEqual(['later', 'type-query', 'resolved/package.json'])
  })
})
