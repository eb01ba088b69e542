import { renderForHumans, renderForMachines } from './logLine.ts'

const colours = [36, 33, 32, 35, 34, 96, 93, 92, 95, 94]

/** Writes what the processes say, each line with its process: coloured and compact on a terminal, JSON lines kept as they are elsewhere. */
export class Printer {
  readonly #out: NodeJS.WriteStream
  readonly #width: number
  readonly #colourOf = new Map<string, number>()

  constructor(out: NodeJS.WriteStream, names: readonly string[]) {
    this.#out = out
    this.#width = Math.max(...names.map((name) => name.length), 0)
    // A reader that went away, as in `npm start | head`, is no reason to fall over.
    out.on('error', () => undefined)
  }

  /** One line of a process. */
  line(name: string, text: string): void {
    if (!this.#out.isTTY) {
      this.#out.write(`${renderForMachines(name, text)}\n`)
      return
    }
    const prefix = `\x1b[${this.#colour(name)}m${name.padEnd(this.#width)} |\x1b[0m`
    for (const part of renderForHumans(text).split('\n')) this.#out.write(`${prefix} ${part}\n`)
  }

  /** Words of the runner itself. */
  say(text: string): void {
    this.#out.write(`${text}\n`)
  }

  #colour(name: string): number {
    const known = this.#colourOf.get(name)
    if (known !== undefined) return known
    const colour = colours[this.#colourOf.size % colours.length] ?? 0
    this.#colourOf.set(name, colour)
    return colour
  }
}
