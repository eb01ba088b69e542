import { keepHouse } from '../src/services/almanac/housekeeping.ts'
import { startKeeper } from './lib/keeper.ts'
import { runWorker } from './lib/runWorker.ts'

await runWorker('almanac', () => 1, (house, shutdown) => {
  shutdown.onShutdown('keeper', startKeeper(house))
  return Promise.resolve({ 'almanac.housekeeping': () => keepHouse(house) })
})
