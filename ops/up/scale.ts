import { StartError } from './startError.ts'

/** How many processes of each kind are to run. */
export type Scale = ReadonlyMap<string, number>

const most = 64
const usage = 'npm start -- --scale query=4,browser=2'

/** Reads the arguments of the start; every kind that is not named runs once. */
export function parseScale(args: readonly string[], kinds: readonly string[]): Scale {
  const scale = new Map(kinds.map((kind) => [kind, 1]))
  for (const [name, count] of readPairs(args)) {
    if (!scale.has(name)) throw new StartError(
      `--scale does not know ${JSON.stringify(name)}; the processes are ${kinds.join(', ')}.\n` +
        `Use it like this: ${usage}`,
    )
    if (!/^\d{1,3}$/.test(count) || Number(count) > most) {
      throw new StartError(`--scale ${name}=${count}: the number must be a whole one from 0 to ${most}.\nUse it like this: ${usage}`)
    }
    scale.set(name, Number(count))
  }
  if ([...scale.values()].every((count) => count === 0)) throw new StartError(
    '--scale leaves no process to run.\n' +
      `Use it like this: ${usage}`,
  )
  return scale
}

function readPairs(args: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index < args.length; index += 1) {
    const [option, inline] = splitOnce(args[index] ?? '')
    if (option !== '--scale') throw new StartError(
      `The argument ${JSON.stringify(args[index])} is not known; there is only --scale.\n` +
        `Use it like this: ${usage}`,
    )
    const value = inline ?? args[++index] ?? ''
    for (const item of value.split(',')) pairs.push(readPair(item.trim()))
  }
  return pairs
}

function readPair(item: string): [string, string] {
  const [name, count] = splitOnce(item)
  if (name === '' || count === null) throw new StartError(
    `--scale has ${JSON.stringify(item)} where it needs a pair such as query=4.\n` +
      `Use it like this: ${usage}`,
  )
  return [name, count.trim()]
}

function splitOnce(text: string): [string, string | null] {
  const at = text.indexOf('=')
  return at < 0 ? [text, null] : [text.slice(0, at).trim(), text.slice(at + 1)]
}
