import { existsSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { SetupError } from './failure.mjs'
import { root } from './paths.mjs'
import { step } from './progress.mjs'
import { indent, lastLines, run } from './run.mjs'
import { hashOf, isStamped, listFiles, writeStamp } from './stamp.mjs'

const dist = join(root, 'dist')
const stampFile = join(dist, '.stamp')
const sources = ['src', 'workers', 'ops', 'prisma', 'tsconfig.json', 'package-lock.json'].map((path) => join(root, path))

/** Compiles the sources into dist/ when any of them changed since the last time. */
export async function ensureBuild() {
  const hash = hashOf(sources, { skip: (path) => path.endsWith('.md') })
  if (isStamped(stampFile, hash) && existsSync(join(dist, 'ops/up.js'))) return
  await step('Building', async () => {
    const args = [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'ops/tsconfig.build.json']
    const { code, output } = await run(process.execPath, args, { endSignal: 'SIGKILL' })
    if (code !== 0) throw new SetupError(explain(output))
    removeOrphans()
    writeStamp(stampFile, hash)
  })
}

function explain(output) {
  const errors = output.split('\n').filter((line) => / error TS\d+: /.test(line))
  const shown = errors.length > 0 ? indent(errors.slice(0, 8).map((line) => line.slice(0, 240))) : lastLines(output)
  const advice = 'Correct them (`npx tsc --noEmit` shows all) and run the command again.'
  return `The sources do not compile. The first of ${errors.length} errors:\n${shown}\n${advice}`
}

/** Takes away what was compiled from sources that are gone, so that nothing runs code that nobody sees. */
function removeOrphans() {
  for (const folder of ['src', 'workers', 'ops']) {
    for (const file of listFiles(join(dist, folder))) {
      const source = join(root, relative(dist, file).replace(/\.js(\.map)?$/, '.ts'))
      if (/\.js(\.map)?$/.test(file) && !existsSync(source)) rmSync(file)
    }
  }
}
