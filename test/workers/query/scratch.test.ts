import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { SpilledRun } from '../../../src/query/scratch.ts'
import { openScratch } from '../../../workers/query/scratch.ts'
import { makeTestDir } from '../../support/testDir.ts'

async function itemsOf<Item>(run: SpilledRun<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const items of run.read()) all.push(...items)
  return all
}

const openFiles = async (dir: string): Promise<number> => {
  const links = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  return links.filter((link) => link.startsWith(dir)).length
}

/** A process of the built code that keeps rows on disk until it is ended. */
const holder = `
  const { openScratch } = await import(${JSON.stringify(String(pathToFileURL(resolve('dist/workers/query/scratch.js'))))})
  const run = await openScratch(process.argv[1], 1).open()
  for (let n = 0; n < 3; n += 1) await run.write([{ text: 'x'.repeat(1_000_000) }])
  process.stdout.write('holds 3 MB')
  setInterval(() => {}, 1_000)
`

describe('the scratch', () => {
  test('gives back what was written, in the same order, as often as it is asked', async () => {
    const scratch = openScratch(await makeTestDir(), 1)
    const rows = fc.array(fc.array(fc.dictionary(fc.string(), fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null)), { noNullPrototype: true }), { minLength: 1, maxLength: 5 }))
    await fc.assert(fc.asyncProperty(rows, async (batches) => {
      const run = await scratch.open()
      for (const batch of batches) await run.write(batch)
      await run.end()
      expect(await itemsOf(run)).toEqual(batches.flat())
      expect(await Promise.all([itemsOf(run), itemsOf(run)])).toEqual([batches.flat(), batches.flat()])
      await run.drop()
    }), { numRuns: 30 })
    await scratch.close()
  })

  test('takes batches and rows of many mebibytes', async () => {
    const scratch = openScratch(await makeTestDir(), 1)
    const run = await scratch.open()
    const large = Array.from({ length: 12 }, (_, n) => ({ n, text: 'é'.repeat(n * 300_000) }))
    await run.write(large)
    await run.write([{ n: 12 }])
    await run.end()
    expect((await itemsOf(run)).map((row) => [row['n'], String(row['text'] ?? '').length])).toEqual([...large.map(({ n, text }) => [n, text.length]), [12, 0]])
    await scratch.close()
  })

  test('keeps no file under a name, and none open when it is closed', async () => {
    const dir = await makeTestDir()
    const scratch = openScratch(dir, 1)
    const runs = [await scratch.open(), await scratch.open()]
    await runs[0]?.write([{ a: 1 }])
    await runs[0]?.end()
    expect([await readdir(dir), await openFiles(dir)]).toEqual([[], 2])
    await runs[1]?.drop()
    expect(await openFiles(dir)).toBe(1)
    await scratch.close()
    expect(await openFiles(dir)).toBe(0)
  })

  test('refuses more than its bound on disk, and counts what was given back', async () => {
    const scratch = openScratch(await makeTestDir(), 1, 1_000)
    const rows = [{ text: 'x'.repeat(600) }]
    const first = await scratch.open()
    await first.write(rows)
    await first.drop()
    const second = await scratch.open()
    await second.write(rows)
    await expect(second.write(rows)).rejects.toMatchObject({ code: 'unprocessable', message: expect.stringMatching(/more than 1,000 bytes on disk: keep fewer rows/) as string })
    await scratch.close()
  })

  test('says what to do where its disk cannot be used', async () => {
    const dir = join(await makeTestDir(), 'file')
    await writeFile(dir, '')
    const refusal = { code: 'unavailable', message: expect.stringMatching(/^The worker cannot keep on its disk .*EEXIST.* make room .* STAGE_MEMORY/) as string }
    await expect((async () => openScratch(dir, 1).open())()).rejects.toMatchObject(refusal)
  })

  test('leaves nothing behind when its process is killed', async () => {
    const dir = await makeTestDir()
    const child = spawn(process.execPath, ['--input-type=module', '--eval', holder, dir], { stdio: ['ignore', 'pipe', 'inherit'] })
    const exited = once(child, 'exit')
    const [said] = (await once(child.stdout, 'data')) as [Buffer]
    expect(String(said)).toBe('holds 3 MB')
    child.kill('SIGKILL')
    await exited
    expect(await readdir(dir)).toEqual([])
  })
})
