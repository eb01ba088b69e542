import { openAlmanac } from './almanac/open.ts'
import { runWorker } from './lib/runWorker.ts'

/** Jobs that ask other instances mostly wait. */
const concurrency = 4

await runWorker('almanac', () => concurrency, openAlmanac)
