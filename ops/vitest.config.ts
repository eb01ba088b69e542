import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Tests that start many processes or browsers, or measure time or memory: each has the machine to itself. */
const alone = ['test/faults/**/*.test.ts', 'test/ops/**/*.test.ts', 'test/workers/browser/**/*.test.ts', 'test/governor/**/*.test.ts', 'test/services/sirp/cellarMemory.test.ts']

/** Real servers are started once; every file gets a database and a key prefix of its own, so files run side by side. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    globalSetup: ['test/support/servers.ts'],
    pool: 'threads',
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    projects: [
      { extends: true, test: { name: 'beside', include: ['test/**/*.test.ts'], exclude: alone, maxWorkers: 2, sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
})
