import { randomUUID } from 'node:crypto'
import { text } from 'node:stream/consumers'
import Router from '@koa/router'
import { Queue } from 'bullmq'
import Koa from 'koa'
import pg from 'pg'

/** The raw part that `npm run bench -- dispatch` stands beside: a Koa route that does one insert and one BullMQ add. */
const [, , databaseUrl, redisUrl = '', port] = process.argv
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 })
const queue = new Queue('bare', { connection: { url: redisUrl } })
const router = new Router()

router.post('/dispatch', async (ctx) => {
  const { query } = JSON.parse(await text(ctx.req)) as { query: string } // the benchmark sends it
  const id = randomUUID()
  await pool.query('INSERT INTO bare_dispatches (id, query) VALUES ($1, $2)', [id, query])
  await queue.add('run', { id }, { jobId: id })
  ctx.status = 202
  ctx.body = { id, status: 'queued' }
})

await pool.query('CREATE TABLE bare_dispatches (id uuid PRIMARY KEY, query text NOT NULL, created_at timestamptz NOT NULL DEFAULT now())')
new Koa().use(router.routes()).listen(Number(port), '127.0.0.1')
