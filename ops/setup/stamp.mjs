import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Hash of the names and contents of files, and of all files below folders; what is missing does not count. */
export function hashOf(paths, { skip = () => false } = {}) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap((path) => listFiles(path, skip))) hash.update(`${path}\0`).update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}

/** Every file below a folder in a fixed order, or the file itself. */
export function listFiles(path, skip = () => false) {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat || skip(path)) return []
  if (!stat.isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => listFiles(join(path, name), skip))
}

/** True when the stamp says that the work was done for this hash. */
export function isStamped(stampFile, hash) {
  try {
    return readFileSync(stampFile, 'utf8') === hash
  } catch {
    return false
  }
}

/** Remembers that the work is done for this hash. */
export function writeStamp(stampFile, hash) {
  mkdirSync(dirname(stampFile), { recursive: true })
  writeFileSync(stampFile, hash)
}
