import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout, whatever the working directory is. */
export const root = fileURLToPath(new URL('../../', import.meta.url))

/** True for a file that this user may run. */
export function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** The first program of this name on the PATH, or null. */
export function findProgram(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)
  return folders.map((folder) => join(folder, name)).find(isProgram) ?? null
}
