import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Real servers are started once; every file gets a database and a key prefix of its own, so files run side by side. */
export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/servers.ts'],
    pool: 'threads',
    isolate: false,
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
})
