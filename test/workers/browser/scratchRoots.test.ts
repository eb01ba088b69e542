import { chmod, mkdir, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openLogger } from '../../../src/platform/logger.ts'
import { readPidSpace } from '../../../workers/browser/processes.ts'
import { barrierTo } from '../../../workers/browser/scratch.ts'
import { chooseScratchRoots } from '../../../workers/browser/scratchRoots.ts'
import { sweep } from '../../../workers/browser/sweep.ts'
import { foldersIn, makeScratchDir } from '../../support/browserPool.ts'

const shared = join(tmpdir(), 'quern-browsers')

const choose = async (dataDir: string, noSandbox = false) => {
  const lines: string[] = []
  const roots = await chooseScratchRoots(dataDir, noSandbox, openLogger('info', 'test', { write: (line) => void lines.push(line) }))
  return { roots, lines }
}

/** A data folder that every user can pass through. */
const openDataDir = async (): Promise<string> => {
  const dataDir = await makeScratchDir()
  await mkdir(dataDir)
  await chmod(dataDir, 0o711)
  return dataDir
}

describe('the folders of browsers', () => {
  it('lie in the data folder where the user of the browsers gets there', async () => {
    const dataDir = await openDataDir()
    const { roots, lines } = await choose(dataDir)
    expect(roots).toEqual({ scratchDir: join(dataDir, 'browsers'), otherScratchDirs: [shared] })
    expect(lines).toEqual([])
  })

  it('lie in the temp folder where a folder on the way is closed to that user, and the log says so', async () => {
    const dataDir = await openDataDir()
    await chmod(dirname(dataDir), 0o700)
    expect(await barrierTo(dataDir)).toBe(dirname(dataDir))
    const { roots, lines } = await choose(dataDir)
    const isRoot = process.getuid?.() === 0
    expect(roots.scratchDir).toBe(isRoot ? shared : join(dataDir, 'browsers'))
    expect(lines.join('')).toContain(isRoot ? `${dirname(dataDir)} is closed to other users` : '')
    expect((await choose(dataDir, true)).roots.scratchDir).toBe(join(dataDir, 'browsers'))
  })

  it('are not fooled by a link to a closed folder', async () => {
    const dataDir = await openDataDir()
    const [closed, link] = [join(dataDir, 'closed'), join(dataDir, 'link')]
    await mkdir(closed, { mode: 0o700 })
    await symlink(closed, link)
    expect(await barrierTo(link)).toBe(closed)
  })

  it('are swept wherever they may lie', async () => {
    const roots = await Promise.all([openDataDir(), openDataDir()])
    const gone = `${await readPidSpace()}.${process.pid}.1-a`
    for (const root of roots) await mkdir(join(root, gone))
    expect(await sweep(...roots, join(dirname(roots[0] ?? ''), 'nowhere'))).toMatchObject({ folders: 2 })
    expect(await Promise.all(roots.map(foldersIn))).toEqual([[], []])
    expect((await stat(roots[0] ?? '')).isDirectory()).toBe(true)
  })
})
