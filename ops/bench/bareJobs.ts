import { Worker } from 'bullmq'

/** The raw part that `npm run bench -- wait` stands beside: a BullMQ worker whose jobs have nothing to do. */
const [, , redisUrl = '', queue = ''] = process.argv
const worker = new Worker(queue, async (job) => job.id, { connection: { url: redisUrl }, concurrency: 16 })
await worker.waitUntilReady()
process.send?.('ready')
