import Router from '@koa/router'
import Koa from 'koa'
import pg from 'pg'

/** The raw part that `npm run bench -- http` stands beside: Koa, @koa/router and one select through pg. */
const [, , url, port] = process.argv
const pool = new pg.Pool({ connectionString: url, max: 10 })
const router = new Router()

router.get('/v1/gonogo/policies/:id', async (ctx) => {
  const { rows } = await pool.query('SELECT id, name, domain, per_second, per_ten_seconds, per_minute, version, created_at, updated_at FROM policies WHERE id = $1', [ctx['params'].id])
  ctx.body = rows[0]
})

new Koa().use(router.routes()).listen(Number(port), '127.0.0.1', () => process.send?.('ready'))
