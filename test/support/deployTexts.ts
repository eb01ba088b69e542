import { readDeployFile } from './deployFiles.ts'

/** `NAME=value` lines, as env files have them. */
export function readEnvFile(name: string): Record<string, string> {
  const lines = readDeployFile(name).split('\n').filter((line) => /^[A-Z]/.test(line))
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))
}

/** One instruction of a Dockerfile. */
export interface Instruction {
  readonly word: string
  readonly rest: string
  /** The stage that it belongs to; empty before the first. */
  readonly stage: string
}

/** The instructions of a Dockerfile, with continued lines joined and comments left out. */
export function readDockerfile(name: string): Instruction[] {
  const joined = readDeployFile(name).replace(/^\s*#.*\n/gm, '').replace(/\\\n\s*/g, ' ')
  let stage = ''
  return joined.split('\n').filter((line) => line.trim() !== '').map((line) => {
    const [, word = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (word === 'FROM') stage = / AS (\S+)$/.exec(rest)?.[1] ?? rest
    return { word, rest, stage }
  })
}
