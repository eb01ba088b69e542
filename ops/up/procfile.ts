import { readFile } from 'node:fs/promises'
import { reasonOf, StartError } from './startError.ts'

/** One line of a Procfile: a kind of process and the command that runs it. */
export interface ProcessKind {
  readonly name: string
  readonly command: string
}

/** Reads a Procfile: `name: command`, one a line; blank lines and those that begin with # do not count. */
export async function readProcfile(path: string): Promise<ProcessKind[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new StartError(`The list of processes cannot be read: ${reasonOf(error)}. Restore the Procfile of the checkout.`)
  })
  return parseProcfile(text, path)
}

/** The lines of a Procfile's text; `path` is for messages. */
export function parseProcfile(text: string, path: string): ProcessKind[] {
  const kinds: ProcessKind[] = []
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    const match = /^([A-Za-z0-9_-]+):\s*(\S.*)$/.exec(line)
    const [, name, command] = match ?? []
    if (name === undefined || command === undefined || kinds.some((kind) => kind.name === name)) {
      throw new StartError(`Line ${index + 1} of ${path} is not \`name: command\` with a name of its own: ${line}`)
    }
    kinds.push({ name, command })
  }
  return kinds
}
