import { randomUUID } from 'node:crypto'
import { Queue } from 'bullmq'

/** BullMQ alone: adds by so many at once, for so many seconds; writes how many a second that were. */
const [, , redisUrl = '', atOnce, seconds] = process.argv
const queue = new Queue('adds', { connection: { url: redisUrl } })

async function addFor(ms: number): Promise<number> {
  const until = performance.now() + ms
  let count = 0
  const add = async (): Promise<void> => {
    for (; performance.now() < until; count += 1) await queue.add('run', { id: randomUUID() })
  }
  await Promise.all(Array.from({ length: Number(atOnce) }, add))
  return count
}

await queue.waitUntilReady()
await addFor(500)
process.stdout.write(JSON.stringify((await addFor(Number(seconds) * 1_000)) / Number(seconds)))
await queue.obliterate({ force: true })
await queue.close()
