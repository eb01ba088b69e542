import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Queue, QueueEvents } from 'bullmq'
import { Client } from 'undici'
import { compareTimes, medianOf, type Bench } from './measure.ts'
import { onStage } from './stage.ts'

const rounds = 500
/** So many that both sides run compiled code: what is measured is a service that has been up for a while. */
const warmRounds = 2_000

/** Dispatches a query of one stage and waits for it, beside a BullMQ job that is added and waited for; one after the other, in turns. */
export const benchWait: Bench = () =>
  onStage(async (stage) => {
    const { url } = await stage.start('dist/src/api/main.js')
    await stage.startWorker()
    const bare = await openBareJobs(stage.redisUrl)
    const run = runner(url, stage.apiKey)
    const times = { ours: [] as number[], bare: [] as number[] }
    for (let round = -warmRounds; round < rounds; round += 1) {
      const bareMs = await timed(() => bare.run())
      const ourMs = await timed(() => run(`seed '{"id": "${randomUUID()}"}'`))
      if (round < 0) continue
      times.bare.push(bareMs)
      times.ours.push(ourMs)
    }
    await bare.close()
    return [compareTimes('dispatch and wait, one stage, p50', medianOf(times.ours), 'BullMQ add → finished', medianOf(times.bare), 4)]
  })

/** Asks over one connection that stays open, by the leanest client that there is: what is measured is the service. */
function runner(url: string, apiKey: string): (query: string) => Promise<void> {
  const client = new Client(url)
  const headers = { authorization: `svc ${apiKey}`, 'content-type': 'application/json' }
  return async (query) => {
    const { statusCode, body } = await client.request({ method: 'POST', path: '/v1/sirp/query/runner/dispatch/wait', headers, body: JSON.stringify({ query }) })
    const answer = await body.text()
    if (statusCode !== 200) throw new Error(answer)
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** A queue whose jobs another process does, as a query process does ours. */
async function openBareJobs(redisUrl: string): Promise<{ run(): Promise<unknown>; close(): Promise<void> }> {
  const child = fork('dist/ops/bench/bareJobs.js', [redisUrl, 'bare'], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const gone = once(child, 'exit')
  await once(child, 'message')
  const queue = new Queue('bare', { connection: { url: redisUrl } })
  const events = new QueueEvents('bare', { connection: { url: redisUrl } })
  await Promise.all([queue.waitUntilReady(), events.waitUntilReady()])
  return {
    run: async () => (await queue.add('run', {})).waitUntilFinished(events),
    close: async () => {
      child.kill('SIGKILL')
      await Promise.all([gone, queue.close(), events.close()])
    },
  }
}
