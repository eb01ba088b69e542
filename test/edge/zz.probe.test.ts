import { test, inject } from 'vitest'
import { startApi } from '../support/api.ts'
import { cloneDatabase } from '../support/database.ts'
import { openTcpProxy } from '../support/tcpProxy.ts'
test('x', async () => {
  const database = await cloneDatabase()
  const postgres = await openTcpProxy(database.url)
  const api = await startApi({ DATABASE_URL: postgres.url })
  const headers = { 'Authorization': `svc ${api.adminKey}`, 'Content-Type': 'application/json' }
  const st = new Map<number, number>()
  let made = 0
  for (let k = 0; k < 4; k++) {
  const load = Array.from({ length: 10 }, async () => {
    for (let round = 0; round < 20; round += 1) {
      const r = round % 2 ? await fetch(api.url + '/v1/gonogo/policies', { headers }) : await fetch(api.url + '/v1/gonogo/policies', { method: 'POST', headers, body: JSON.stringify({ name: 'n', domain: `d${(made += 1)}.example`, policy: {} }) })
      await r.text()
      st.set(r.status, (st.get(r.status) ?? 0) + 1)
    }
  })
  const cuts = (async () => { for (let c = 0; c < 20; c++) { await new Promise((l) => setTimeout(l, 40)); postgres.reset() } })()
  await Promise.all([...load, cuts])
  }
  console.log(st)
  console.log([...new Set(api.logLines.filter((l) => l.includes('unexpectedly')).map((l) => JSON.stringify(JSON.parse(l).err, null, 1).slice(0, 1500)))].slice(0, 4).join('\n----\n'))
  await api.close(); await postgres.close(); await database.drop()
}, 60000)
