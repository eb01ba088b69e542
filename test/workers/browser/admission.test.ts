import { describe, expect } from 'vitest'
import { createClient, type Call } from '../../../src/client/index.ts'
import { admit, type AdmissionBounds, type MachineFacts } from '../../../workers/browser/admission.ts'
import { CpuPressure, freeOfMachine, groupFree, readFreeBytes } from '../../../workers/browser/machine.ts'
import { startBrowserEngine, test } from '../../support/browserEngine.ts'
import { openTarget } from '../../support/httpTarget.ts'

const bounds: AdmissionBounds = { most: 8, cores: 2, leastFreeBytes: 500, mostCpuPressure: 90 }
const calm: MachineFacts = { freeBytes: 1_000, cpuPressure: 10 }

/** The numbers of jobs at once that follow each other while a machine stays as it is. */
function rooms(from: number, facts: Partial<MachineFacts>, more: Partial<AdmissionBounds> = {}): number[] {
  const steps = [from]
  for (let look = 0; look < 8; look += 1) steps.push(admit(steps.at(-1) ?? 0, { ...calm, ...facts }, { ...bounds, ...more }).room)
  return steps
}

describe('the jobs that a browser process takes at once', () => {
  test('are one as soon as memory is short, and one more with each look when it is not', () => {
    expect(rooms(8, { freeBytes: 499 })).toEqual([8, 1, 1, 1, 1, 1, 1, 1, 1])
    expect(rooms(1, {})).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 8])
    expect(admit(8, { freeBytes: 499, cpuPressure: 99 }, bounds).short).toBe('memory')
  })

  test('are one fewer with each look while work waits for processors, but one a core at least', () => {
    expect(rooms(8, { cpuPressure: 90 })).toEqual([8, 7, 6, 5, 4, 3, 2, 2, 2])
    expect(rooms(1, { cpuPressure: 90 })).toEqual([1, 2, 2, 2, 2, 2, 2, 2, 2])
    expect(rooms(1, { cpuPressure: 100 }, { most: 1 })).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1])
    expect(rooms(8, { cpuPressure: 100 }, { mostCpuPressure: 100 })).toEqual([8, 8, 8, 8, 8, 8, 8, 8, 8])
    expect(admit(8, { ...calm, cpuPressure: 90 }, bounds).short).toBe('cpu')
  })
})

describe('a machine', () => {
  test('tells its free memory, which a control group may narrow', async () => {
    expect(freeOfMachine('MemTotal:       100 kB\nMemAvailable:       50 kB\n')).toBe(51_200)
    expect(freeOfMachine('')).toBeNull()
    expect(groupFree('1000\n', '900\n', 'anon 600\ninactive_file 300\n')).toBe(400)
    expect(groupFree('1000\n', '1200\n', '')).toBe(0)
    expect([groupFree('max\n', '900\n', ''), groupFree('', '', '')]).toEqual([Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY])
    expect(await readFreeBytes()).toBeGreaterThan(0)
  })

  test('tells how long work waited for a processor since the last look', async () => {
    let ms = 5_000
    const pressure = new CpuPressure(() => ms)
    const text = (total: number): string => `some avg10=12.50 avg60=0.00 avg300=0.00 total=${total}\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n`
    expect(pressure.look(text(1_000_000))).toBe(12.5)
    ms += 1_000
    expect(pressure.look(text(1_600_000))).toBe(60)
    ms += 1_000
    expect(pressure.look(text(3_000_000))).toBe(100)
    expect(pressure.look('')).toBeNull()
    expect(await new CpuPressure().read()).toBeGreaterThanOrEqual(0)
  })
})

describe('a browser process on a machine without free memory', () => {
  test('takes one job at a time, ends them all, and says why', { timeout: 60_000 }, async () => {
    let [open, most] = [0, 0]
    const site = await openTarget((_request, response) => {
      open += 1
      most = Math.max(most, open)
      setTimeout(() => {
        open -= 1
        response.writeHead(200, { 'content-type': 'text/html' }).end('<title>slow</title>')
      }, 200)
    })
    const engine = await startBrowserEngine({ BROWSER_CONCURRENCY: '4', BROWSER_RESERVE_MEMORY: '8000000GiB' })
    try {
      const call: Call = createClient({ baseUrl: engine.url, apiKey: engine.adminKey })
      const jobs = Array.from({ length: 6 }, () => call('krull.page.evaluate', { body: { url: site.origin, expression: 'document.title' } }))
      expect((await Promise.all(jobs)).map(({ result }) => result)).toEqual(Array.from({ length: 6 }, () => 'slow'))
      expect(most).toBe(1)
      await expect.poll(() => call('krull.system.read'), { timeout: 15_000 }).toMatchObject({ workers: [{ concurrency: 4, room: 1, short: 'memory' }] })
    } finally {
      await engine.close()
      await site.close()
    }
  })
})
