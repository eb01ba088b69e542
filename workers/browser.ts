import { openBrowserProcessors } from './browser/open.ts'
import { runWorker } from './lib/runWorker.ts'

await runWorker('browser', ({ env }) => env.browserConcurrency, openBrowserProcessors)
