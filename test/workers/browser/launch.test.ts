import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBinary } from '../../../workers/browser/binary.ts'
import { launchBrowser } from '../../../workers/browser/launch.ts'
import { foldersIn, makeScratchDir, openTestPool, within } from '../../support/browserPool.ts'
import { makeMoodyBrowser } from '../../support/moodyBrowser.ts'

describe('a browser that does not start', { timeout: 60_000 }, () => {
  it('makes jobs fail with unavailable in time, and serves again as soon as it starts', async () => {
    const { path, mend } = await makeMoodyBrowser()
    const pool = await openTestPool({ chromePath: path, patienceMs: 1_000 })
    await expect(pool.use(within(20_000), () => Promise.resolve(1))).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining(path) as string })
    await expect(pool.use(within(200), () => Promise.resolve(1))).rejects.toMatchObject({ code: 'job_timeout' })
    expect(pool.details().lastErrors[0]).toMatchObject({ code: 'unavailable' })
    await mend()
    const works = () => pool.use(within(20_000), ({ page }) => page.evaluate('1')).catch(() => 0)
    await expect.poll(works, { timeout: 15_000 }).toBe(1)
    expect(await foldersIn(pool.scratchDir)).toHaveLength(1)
  })

  it('is given up when it says nothing, and leaves nothing behind', async () => {
    const scratchDir = await makeScratchDir()
    const path = join(dirname(scratchDir), 'silent-headless-shell')
    await writeFile(path, '#!/bin/sh\nexec sleep 600\n', { mode: 0o755 })
    await expect(launchBrowser({ chromePath: path, scratchDir, launchTimeoutMs: 500 })).rejects.toMatchObject({ code: 'unavailable' })
    expect(await foldersIn(scratchDir)).toEqual([])
  })

  it('is named when CHROME_PATH is no program', async () => {
    await expect(findBinary('/nowhere/chrome')).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining('/nowhere/chrome') as string })
  })
})
