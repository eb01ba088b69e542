import { Agent, request } from 'undici'

/** A bare undici loop: so many requests, so many of them at once; writes the milliseconds that they took. */
const [, , url = '', count, atOnce] = process.argv
const dispatcher = new Agent({ connections: Number(atOnce) })

async function fetchAll(prefix: string, total: number): Promise<number> {
  const start = performance.now()
  const rows: unknown[] = []
  let next = 0
  const fetchOn = async (): Promise<void> => {
    while (next < total) rows.push(await (await request(`${prefix}/${next++}`, { dispatcher })).body.json())
  }
  await Promise.all(Array.from({ length: Number(atOnce) }, fetchOn))
  return performance.now() - start
}

await fetchAll(`${url}/warm`, Number(count))
process.stdout.write(JSON.stringify(await fetchAll(url, Number(count))))
await dispatcher.close()
