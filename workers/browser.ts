import { runWorker } from './lib/runWorker.ts'

await runWorker('browser', ({ env }) => env.browserConcurrency, () => Promise.resolve({}))
