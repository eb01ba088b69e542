import { openProducerRedis } from '../platform/redis.ts'
import { runProcess, whenReachable } from '../services/runProcess.ts'
import { ensureFirstKey } from '../services/secrets/firstKey.ts'
import { buildApp } from './app.ts'
import { closeServer, listen, openServer } from './server.ts'

await runProcess('api', openProducerRedis, async (house, shutdown) => {
  const life = { ending: false }
  const server = openServer(buildApp(house, life), house.env)
  await listen(server, house.env.host, house.env.port)
  shutdown.onShutdown('http server', () => {
    life.ending = true
    return closeServer(server, 20_000)
  })
  house.log.info({ host: house.env.host, port: house.env.port }, 'listening')
  if (house.env.bootstrapApiKey !== undefined) await whenReachable(house, () => ensureFirstKey(house))
})
