import { openProducerRedis } from '../platform/redis.ts'
import { closeQueues } from '../services/queuesOf.ts'
import { runProcess, whenReachable } from '../services/runProcess.ts'
import { storeBootstrapKey } from '../services/secrets/firstKey.ts'
import { closeFollows } from '../services/sirp/queryFollow.ts'
import { closeWakes } from '../services/sirp/engine/wakes.ts'
import { apiPulse, registerApiParts } from '../services/workers/apiParts.ts'
import { startPulse } from '../services/workers/pulse.ts'
import { buildApp } from './app.ts'
import { closeServer, listen, openServer } from './server.ts'

await runProcess('api', openProducerRedis, async (house, shutdown) => {
  const life = { ending: false }
  shutdown.onShutdown('queues', () => closeQueues(house))
  registerApiParts(house)
  startPulse(house, apiPulse(house), shutdown)
  const server = openServer(buildApp(house, life), house.env)
  await listen(server, house.env.host, house.env.port)
  shutdown.onShutdown('http server', () => {
    life.ending = true
    // Whoever waits for a query or follows one is answered now.
    closeWakes(house)
    closeFollows(house)
    return closeServer(server, 20_000)
  })
  house.log.info({ host: house.env.host, port: house.env.port }, 'listening')
  await whenReachable(house, () => storeBootstrapKey(house))
})
