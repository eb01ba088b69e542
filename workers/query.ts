import { runWorker } from './lib/runWorker.ts'

await runWorker('query', ({ env }) => env.queryConcurrency, () => Promise.resolve({}))
