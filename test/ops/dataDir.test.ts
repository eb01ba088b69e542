import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { preparePrivateDir, readOrMakeSecret } from '../../ops/up/dataDir.ts'
import { makeTestDir } from '../support/testDir.ts'

const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8)

describe('the data folder', () => {
  test('is made with all folders above it, for its owner alone', async () => {
    const dir = join(await makeTestDir(), 'a', 'b')
    await preparePrivateDir(dir)
    await preparePrivateDir(dir)
    expect(await Promise.all([modeOf(dir), modeOf(join(dir, '..'))])).toEqual(['700', '700'])
  })

  test.for([['755', '700'], ['770', '700'], ['700', '700'], ['710', '710'], ['711', '711']] as const)('with the mode %s has %s afterwards: others may pass, and never look', async ([before, after]) => {
    const dir = join(await makeTestDir(), 'data')
    await mkdir(dir)
    await chmod(dir, Number.parseInt(before, 8))
    await preparePrivateDir(dir)
    expect(await modeOf(dir)).toBe(after)
  })

  test('that cannot be made, or is none, is refused with what to do', async () => {
    const file = join(await makeTestDir(), 'file')
    await writeFile(file, '')
    for (const dir of [file, join(file, 'below'), '/proc/none', '/proc/none/below']) {
      await expect(preparePrivateDir(dir), dir).rejects.toMatchObject({ name: 'StartError', message: expect.stringMatching(/cannot be used: .*\n.* choose another one with DATA_DIR\.$/) as string })
    }
  })

  test('keeps a secret for its owner alone, and the same one at each start', async () => {
    const path = join(await makeTestDir(), 'secret')
    const first = await readOrMakeSecret(path, 32)
    expect([await readOrMakeSecret(path, 32), await modeOf(path)]).toEqual([first, '600'])
  })
})
