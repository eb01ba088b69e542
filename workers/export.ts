import { runWorker } from './lib/runWorker.ts'

await runWorker('export', ({ env }) => env.exportConcurrency, () => Promise.resolve({}))
