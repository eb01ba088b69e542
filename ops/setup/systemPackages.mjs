import { existsSync } from 'node:fs'
import { findChromium } from './chromium.mjs'
import { SetupError } from './failure.mjs'
import { findProgram } from './paths.mjs'
import { step } from './progress.mjs'
import { isRedisMissing } from './redis.mjs'
import { lastLines, run } from './run.mjs'

/** Makes sure that redis-server and a Chromium are there, installing what is missing; gives the path of the browser. */
export async function ensureSystemPackages() {
  const missing = { redis: await isRedisMissing(), chromium: findChromium() === null }
  if (missing.redis || missing.chromium) await install(missing)
  const chromium = findChromium()
  if (!chromium || (await isRedisMissing())) throw new SetupError(adviseByHand(missing, 'the packages came without the programs'))
  return chromium
}

async function install(missing) {
  const wanted = [missing.redis && 'redis-server', missing.chromium && 'Chromium'].filter(Boolean).join(' and ')
  if (process.platform === 'darwin') {
    if (!findProgram('brew')) throw new SetupError(adviseByHand(missing, 'there is no Homebrew here'))
    return step(`Installing ${wanted} (brew)`, () => installByBrew(missing))
  }
  if (!findProgram('apt-get')) throw new SetupError(adviseByHand(missing, 'there is no apt here'))
  const asRoot = await findRootPrefix()
  if (!asRoot) throw new SetupError(adviseByHand(missing, 'this user is not root and has no password-less sudo'))
  return step(`Installing ${wanted} (apt)`, () => installByApt(missing, asRoot))
}

/** The words before a command that make it run as root; null where that is not allowed. */
async function findRootPrefix() {
  if (process.getuid() === 0) return []
  if (!findProgram('sudo')) return null
  const { code } = await run('sudo', ['-n', 'true'])
  return code === 0 ? ['sudo', '-n'] : null
}

async function installByBrew(missing) {
  const jobs = [missing.redis && ['install', 'redis'], missing.chromium && ['install', '--cask', 'chromium']].filter(Boolean)
  for (const args of jobs) await must(missing, ['brew', ...args], { HOMEBREW_NO_ENV_HINTS: '1' })
}

async function installByApt(missing, asRoot) {
  const aptGet = [...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-q', '-o', 'DPkg::Lock::Timeout=300']
  const apt = async (...args) => must(missing, [...aptGet, ...args])
  await apt('update')
  const packages = [...(missing.redis ? ['redis-server'] : []), ...(missing.chromium ? await chooseChromiumPackages() : [])]
  await apt('install', '-y', '--no-install-recommends', ...packages)
  if (missing.redis) await stopRedisService(asRoot)
}

/** The headless shell where the distribution has it; fonts, because a page without any has no text to take a picture of. */
async function chooseChromiumPackages() {
  const known = async (name) => {
    const { output } = await run('apt-cache', ['policy', name], { env: { LC_ALL: 'C' } })
    return /^\s+Candidate: (?!\(none\))/m.test(output)
  }
  const browser = (await known('chromium-headless-shell')) ? 'chromium-headless-shell' : 'chromium'
  const extras = []
  for (const name of ['chromium-sandbox', 'fonts-liberation']) if (await known(name)) extras.push(name)
  return [browser, ...extras]
}

/** The package starts a Redis of its own at every boot; we asked for the program only. */
async function stopRedisService(asRoot) {
  const commands = existsSync('/run/systemd/system')
    ? [['systemctl', 'disable', '--now', 'redis-server']]
    : [['/etc/init.d/redis-server', 'stop'], ['update-rc.d', 'redis-server', 'disable']]
  for (const command of commands) {
    const [program, ...args] = [...asRoot, ...command]
    await run(program, args)
  }
}

async function must(missing, [program, ...args], env = {}) {
  const { code, output } = await run(program, args, { env })
  if (code === 0) return
  throw new SetupError(adviseByHand(missing, `\`${[program, ...args].join(' ')}\` ended with ${code}. Its last lines:\n${lastLines(output)}`))
}

const byHand = {
  darwin: { redis: '`brew install redis`', chromium: '`brew install --cask chromium`' },
  linux: {
    redis: '`apt-get install redis-server`, `dnf install redis` or `apk add redis`',
    chromium: '`apt-get install chromium-headless-shell` (or `chromium`), `dnf install chromium` or `apk add chromium`',
  },
}

function adviseByHand(missing, reason) {
  const how = byHand[process.platform] ?? { redis: 'your package manager', chromium: 'your package manager' }
  return [
    ...(missing.redis ? [`redis-server 6.2 or newer is missing: install it with ${how.redis}, or set REDIS_URL.`] : []),
    ...(missing.chromium ? [`A Chromium is missing: install it with ${how.chromium}, or set CHROME_PATH.`] : []),
    `It could not be installed from here: ${reason.trimEnd()}${reason.includes('\n') ? '' : '.'}`,
    'Then run the command again.',
  ].join('\n')
}
