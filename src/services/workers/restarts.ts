import type { IncomingMessage } from 'node:http'
import { hosting, type ServiceName } from '../../contract/services.ts'
import type { Restart } from '../../contract/sirp/services.ts'
import { pause } from '../../platform/clock.ts'
import { auditEntry } from '../change.ts'
import { fromRedis } from '../fromRedis.ts'
import { WithStatus, type RequestFacts } from '../handler.ts'
import type { House } from '../house.ts'
import { isEnding } from '../sirp/engine/wakes.ts'
import { askRestart, liveProcesses } from './processes.ts'

const lookAgainMs = 100

/** Restarts a service in every process that hosts it; answers at once, or when all are back where the client prefers to wait. */
export async function restartService(house: House, request: RequestFacts, service: ServiceName): Promise<Restart | WithStatus<Restart>> {
  const { asked, turn } = await fromRedis(house, async () => {
    const hosts = (await liveProcesses(house)).filter(({ type }) => hosting[service].hosts.includes(type))
    return { asked: new Set(hosts.map(({ id }) => id)), turn: await askRestart(house, service) }
  })
  await house.db.auditEntry.create({ data: auditEntry(request, service, 'done'), select: { seq: true } })
  const { waitS } = request.prefer
  if (waitS === undefined) return { service, restarting: asked.size, restarted: [] }
  const seen = await whenBack(house, { service, asked, turn }, waitS * 1000, request.upload)
  return seen.restarting === 0 ? new WithStatus(200, seen) : seen
}

interface Asked {
  readonly service: ServiceName
  readonly asked: ReadonlySet<string>
  readonly turn: number
}

async function whenBack(house: House, restart: Asked, waitMs: number, { socket }: IncomingMessage): Promise<Restart> {
  const until = performance.now() + waitMs
  for (;;) {
    const seen = await fromRedis(house, () => look(house, restart))
    if (seen.restarting === 0 || performance.now() >= until || socket.destroyed || isEnding(house)) return seen
    await pause(lookAgainMs)
  }
}

/** A process that has ended meanwhile has nothing left to restart; whatever takes its place begins anew by itself. */
async function look(house: House, { service, asked, turn }: Asked): Promise<Restart> {
  const living = (await liveProcesses(house)).filter(({ id }) => asked.has(id))
  const restarted = living.filter(({ restarts }) => (restarts[service] ?? 0) >= turn).map(({ id }) => id)
  return { service, restarting: living.length - restarted.length, restarted }
}
