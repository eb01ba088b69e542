import { SetupError } from './failure.mjs'
import { findProgram } from './paths.mjs'
import { run } from './run.mjs'

const oldest = [6, 2]

/** True when a private Redis is wanted and no redis-server is there to run it; throws when the one there is too old. */
export async function isRedisMissing() {
  if (process.env.REDIS_URL) return false
  const path = findProgram('redis-server')
  if (!path) return true
  const { output } = await run(path, ['--version'])
  const version = /v=(\d+)\.(\d+)\S*/.exec(output)
  const [major, minor] = version ? [Number(version[1]), Number(version[2])] : [0, 0]
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return false
  throw new SetupError(
    `Redis ${oldest.join('.')} or newer is needed, and ${path} is ${version ? version[0].slice(2) : 'of an unknown version'}.\n` +
      'Install a newer redis-server, or set REDIS_URL to one that runs elsewhere.',
  )
}
