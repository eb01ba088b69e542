import type { Worker } from 'bullmq'
import { jobList, type QueueName } from '../../src/contract/queues.ts'
import { hosting, serviceNames } from '../../src/contract/services.ts'
import { openWorkerRedis } from '../../src/platform/redis.ts'
import type { Shutdown } from '../../src/platform/shutdown.ts'
import { openQueue, openWorker } from '../../src/queues/connect.ts'
import { closeGovernor } from '../../src/services/gonogo/governorOf.ts'
import type { House } from '../../src/services/house.ts'
import { closeQueues } from '../../src/services/queuesOf.ts'
import { runProcess, whenReachable } from '../../src/services/runProcess.ts'
import { closeWakes, renewWakes } from '../../src/services/sirp/engine/wakes.ts'
import { onRestart } from '../../src/services/workers/components.ts'
import { startPulse } from '../../src/services/workers/pulse.ts'
import { inTurn } from '../../src/services/workers/turns.ts'
import { QueueServer, type OpenProcessors } from './queueServer.ts'
import type { Perform } from './watchedWorker.ts'

/** The life of a worker process: open, serve one queue, drain, exit. */
export async function runWorker<Q extends QueueName>(
  queue: Q,
  concurrency: (house: House) => number,
  open: OpenProcessors<Q>,
): Promise<void> {
  await runProcess(queue, openWorkerRedis, async (house, shutdown) => {
    // No job may be taken under a master key that cannot open what the job needs.
    await whenReachable(house, () => house.vault.pepper())
    await serveQueue(queue, house, shutdown, concurrency(house), open)
    house.log.info({ queue }, 'serving')
  })
}

/** Serves one queue in this process until its shutdown. */
export async function serveQueue<Q extends QueueName>(
  queue: Q,
  house: House,
  shutdown: Shutdown,
  concurrency: number,
  open: OpenProcessors<Q>,
): Promise<void> {
  shutdown.onShutdown('queues', async () => {
    closeWakes(house)
    await closeQueues(house)
  })
  const server = new QueueServer({
    queue,
    house,
    concurrency,
    open,
    startWorker: (perform) => startWorker(queue, house, shutdown, concurrency, perform),
    onHopeless: () => endWithout(shutdown),
  })
  shutdown.onShutdown('queue worker', () => server.close())
  // What opens with the server works without Redis where it can; only then is there something to wait for.
  await server.open()
  await scheduleRepeats(queue, house)
  const services = serviceNames.filter((service) => hosting[service].hosts.includes(queue))
  onRestart(house, services, () => inTurn(house, queue, () => rebuild(server, house, shutdown)))
  startPulse(house, { type: queue, concurrency, running: () => server.running, jobMs: () => server.jobMs }, shutdown)
}

/** Builds everything anew that the jobs of this process use, whichever of its services is restarted: they all serve the same jobs. */
async function rebuild<Q extends QueueName>(server: QueueServer<Q>, house: House, shutdown: Shutdown): Promise<void> {
  try {
    await server.rebuild(async () => {
      closeGovernor(house)
      renewWakes(house)
      await closeQueues(house)
    })
  } catch (err) {
    house.log.error({ err }, 'the worker could not be built anew')
    endWithout(shutdown)
  }
}

function startWorker(queue: QueueName, house: House, shutdown: Shutdown, concurrency: number, perform: Perform): Worker {
  const worker = openWorker(queue, house.redis, { prefix: house.env.redisPrefix, concurrency }, perform)
  worker.on('error', (err) => logUnlessAway(house, queue, err))
  const run = async (): Promise<void> => {
    await worker.waitUntilReady()
    await worker.run()
  }
  run().catch((err: unknown) => {
    if (shutdown.begun || worker.closing !== undefined) return
    house.log.error({ err }, 'the worker ended by itself')
    endWithout(shutdown)
  })
  return worker
}

/** A Redis that is away is logged once, by its client; here every failed call of the network would be told again. */
function logUnlessAway({ redis, log }: House, queue: QueueName, err: Error): void {
  if (redis.status === 'ready' && !('syscall' in err)) log.warn({ err, queue }, 'the queue reports an error')
}

/** A worker without its loop serves nothing, so the process ends and its runner starts a new one. */
function endWithout(shutdown: Shutdown): void {
  if (shutdown.begun) return
  void shutdown.run().then(() => process.exit(1))
}

/** Jobs that run by themselves are declared by every process, and run on one of them. */
async function scheduleRepeats(name: QueueName, house: House): Promise<void> {
  const repeats = jobList.filter(([, row]) => row.queue === name && row.everyMs !== undefined)
  if (repeats.length === 0) return
  const queue = openQueue(name, house.redis, house.env.redisPrefix)
  queue.on('error', (err) => logUnlessAway(house, name, err))
  for (const [job, { everyMs = 0 }] of repeats) await queue.upsertJobScheduler(job, { every: everyMs }, { name: job, data: {} })
  await queue.close()
}
