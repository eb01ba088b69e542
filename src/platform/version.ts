import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The version of this program, as its package names it. */
export const version = readVersion(dirname(fileURLToPath(import.meta.url)))

/** Source and built code lie at different depths below the package. */
function readVersion(folder: string): string {
  const path = join(folder, 'package.json')
  if (existsSync(path)) return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version // our own package has one
  const parent = dirname(folder)
  return parent === folder ? 'unknown' : readVersion(parent)
}
