import { runWorker } from './lib/runWorker.ts'
import { openQueryProcessors } from './query/open.ts'

await runWorker('query', ({ env }) => env.queryConcurrency, openQueryProcessors)
