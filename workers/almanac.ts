import { keepHouse } from '../src/services/almanac/housekeeping.ts'
import { runWorker } from './lib/runWorker.ts'

await runWorker('almanac', () => 1, (house) => Promise.resolve({ 'almanac.housekeeping': () => keepHouse(house) }))
