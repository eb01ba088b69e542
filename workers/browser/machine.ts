import { readFile } from 'node:fs/promises'
import { availableParallelism, freemem, loadavg } from 'node:os'
import { dirname, join } from 'node:path'

/** Where the kernel shows control groups, in their second version. */
const groupRoot = '/sys/fs/cgroup'

/** How many tasks a core may have to itself where the kernel does not tell how long they wait. */
const mostLoad = 8

/** Memory that can still be had: of the machine, or of the narrowest control group that this process is in. */
export async function readFreeBytes(): Promise<number> {
  const [machine, groups] = await Promise.all([readText('/proc/meminfo').then(freeOfMachine), ownGroups()])
  return Math.min(machine ?? freemem(), ...(await Promise.all(groups.map(freeOfGroup))))
}

/** What a machine has free, by its meminfo; null where that does not say. */
export function freeOfMachine(meminfo: string): number | null {
  const [, kibibytes] = /^MemAvailable:\s+(\d+) kB$/m.exec(meminfo) ?? []
  return kibibytes === undefined ? null : Number(kibibytes) * 1024
}

/** What a control group has free; files that can be read again from the disk count as free. */
async function freeOfGroup(folder: string): Promise<number> {
  const [most, used, stat] = await Promise.all(['memory.max', 'memory.current', 'memory.stat'].map((name) => readText(join(folder, name))))
  return groupFree(most ?? '', used ?? '', stat ?? '')
}

/** The same by its three files; without end where it has no bound. */
export function groupFree(most: string, used: string, stat: string): number {
  if (!/^\d/.test(most)) return Number.POSITIVE_INFINITY
  const cached = Number(/^inactive_file (\d+)$/m.exec(stat)?.[1] ?? 0)
  return Math.max(0, Number(most) - (Number(used) - cached))
}

/** Tells how hard work waits for a processor, from one look to the next. */
export class CpuPressure {
  readonly #now: () => number
  #last: { readonly stalledUs: number; readonly at: number } | undefined

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** The share of the time since the last look in which some work waited, in percent; a guess by the load where the kernel does not tell. */
  async read(): Promise<number> {
    const [own] = await ownGroups()
    const text = (own === undefined ? '' : await readText(join(own, 'cpu.pressure'))) || (await readText('/proc/pressure/cpu'))
    return this.look(text) ?? (loadOfCore() > mostLoad ? 100 : 0)
  }

  /** The same by the text of the kernel; null where it does not tell. */
  look(text: string): number | null {
    const [, average, total] = /^some avg10=([\d.]+) .*total=(\d+)$/m.exec(text) ?? []
    if (average === undefined) return null
    const [last, now] = [this.#last, { stalledUs: Number(total), at: this.#now() }]
    this.#last = now
    if (!last || now.at <= last.at) return Number(average)
    return Math.min(100, (now.stalledUs - last.stalledUs) / (now.at - last.at) / 10)
  }
}

const loadOfCore = (): number => (loadavg()[0] ?? 0) / availableParallelism()

/** The folders of the control groups that this process is in, its own one first. */
async function ownGroups(): Promise<string[]> {
  const path = /^0::(\/.*)$/m.exec(await readText('/proc/self/cgroup'))?.[1]
  const folders: string[] = []
  for (let folder = path; folder !== undefined; folder = folder === '/' ? undefined : dirname(folder)) folders.push(join(groupRoot, folder))
  return folders
}

const readText = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')
