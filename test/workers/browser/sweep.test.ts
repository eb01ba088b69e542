import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isOwnerGone, markArgument, ownMark } from '../../../workers/browser/mark.ts'
import { killGroup, readPidSpace, readProcess } from '../../../workers/browser/processes.ts'
import { sweep } from '../../../workers/browser/sweep.ts'
import { foldersIn, makeScratchDir } from '../../support/browserPool.ts'

/** A process in a group of its own, with these words as arguments. */
async function startIdle(...words: string[]): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => undefined, 1000)', '--', ...words], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  const pid = child.pid ?? 0
  onTestFinished(() => void killGroup(pid))
  await new Promise((ready) => child.stdout.once('data', ready))
  return pid
}

const isThere = (pid: number): boolean => readProcess(pid) !== null

/** The mark of a process that is gone: its pid lives, but began at another time. */
const goneMark = async (): Promise<string> => `${await readPidSpace()}.${process.pid}.1`

describe('the sweep', () => {
  it('ends marked processes whose owner is gone, and no others', async () => {
    const root = await makeScratchDir()
    const [orphan, owned, elsewhere] = await Promise.all([
      startIdle(`${markArgument}${await goneMark()}`), startIdle(`${markArgument}${await ownMark()}`), startIdle(`${markArgument}1.1.1`),
    ])
    await sweep(root)
    await expect.poll(() => isThere(orphan)).toBe(false)
    expect([owned, elsewhere].map(isThere)).toEqual([true, true])
  })

  it('removes the folders of browsers whose owner is gone, and ends what is left of their groups', async () => {
    const root = await makeScratchDir()
    const [left, stranger] = await Promise.all([startIdle('headless-shell --type=renderer'), startIdle('something else')])
    const groups = { [`${await goneMark()}-a`]: left, [`${await goneMark()}-b`]: stranger, [`${await ownMark()}-c`]: 0 }
    for (const [name, group] of Object.entries(groups)) {
      await mkdir(join(root, name, 'profile'), { recursive: true })
      await writeFile(join(root, name, 'group'), String(group))
    }
    expect(await sweep(root)).toMatchObject({ folders: 2 })
    await expect.poll(() => isThere(left)).toBe(false)
    expect(isThere(stranger)).toBe(true)
    expect(await foldersIn(root)).toEqual([`${await ownMark()}-c`])
  })

  it('knows its own process, and nothing of other pid spaces', async () => {
    expect(await isOwnerGone(await ownMark())).toBe(false)
    expect(await isOwnerGone(await goneMark())).toBe(true)
    expect(await isOwnerGone('1.1.1')).toBe(false)
    expect(await isOwnerGone('nonsense')).toBe(false)
  })
})
