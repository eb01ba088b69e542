import { readdir, readFile } from 'node:fs/promises'
import { Redis } from 'ioredis'
import { expect, onTestFinished, test } from 'vitest'
import { comeToRest, Load } from './harness/load.ts'
import { complaintsOf, openStand, type Stand } from './harness/stand.ts'
import { mixedTasks, pageTasks } from './harness/tasks.ts'
import { judge } from './harness/verdict.ts'

const rounds = 20
/** Of each round: passes, requests, files and templates; and pages. */
const [mixed, pages] = [95, 5]

/** What an installation at rest has in its hands. */
interface Holding {
  readonly mib: number
  readonly descriptors: number
  readonly files: number
  readonly keys: number
}

test('2,000 mixed jobs leave memory and descriptors flat, and bounded files and keys', { timeout: 300_000 }, async () => {
  const stand = await openStand({ apis: 1, workers: 1, browsers: 1 })
  const redis = new Redis(stand.redis.url)
  onTestFinished(() => redis.disconnect())
  const load = new Load(stand)
  const tasks = [...mixedTasks(rounds * mixed, stand.site.origin), ...pageTasks(rounds * pages, stand.site.origin)]
  const held: Holding[] = []
  for (let round = 0; round < rounds; round += 1) {
    await load.dispatchAll(tasks.filter((_, index) => index % rounds === round))
    await comeToRest(stand)
    held.push(await holdingOf(stand, redis))
  }
  const [before, after] = [most(held.slice(0, rounds / 2)), most(held.slice(rounds / 2))]
  expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + 8)
  expect(after.files).toBeLessThanOrEqual(before.files + 2)
  expect(after.keys).toBeLessThanOrEqual(before.keys * 1.1)
  const [third, fourth] = [held.slice(rounds / 2, (rounds / 4) * 3), held.slice((rounds / 4) * 3)].map((some) => sum(some.map(({ mib }) => mib))) as [number, number]
  expect(fourth).toBeLessThanOrEqual(third * 1.1)
  expect(await judge(stand, tasks), complaintsOf(stand)).toMatchObject({ lost: [], wrong: [], misfrozen: [], unasked: [], mostHits: 1 })
})

async function holdingOf({ places, dir }: Stand, redis: Redis): Promise<Holding> {
  const pids = places.map(({ process: { pid = 0 } }) => pid)
  const [memory, descriptors] = await Promise.all([Promise.all(pids.map(residentMib)), Promise.all(pids.map(descriptorsOf))])
  return { mib: sum(memory), descriptors: sum(descriptors), files: (await readdir(dir, { recursive: true })).length, keys: await redis.dbsize() }
}

/** The most of each that was held at any of some moments. */
function most(held: readonly Holding[]): Omit<Holding, 'mib'> {
  const of = (name: keyof Holding): number => Math.max(...held.map((one) => one[name]))
  return { descriptors: of('descriptors'), files: of('files'), keys: of('keys') }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0)

async function residentMib(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024)
}

const descriptorsOf = async (pid: number): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length
