import { jsonVerifier, type VerifierError } from 'stream-json/core/utils/verifier.js'

/** Ends whatever the verifier might still wait for, such as the rest of a word or a number. */
const padding = ' '.repeat(32)

/** Finds the first fault of a JSON text that comes in pieces; without one, it must have ended too early. */
export class JsonFaultFinder {
  readonly #verify = jsonVerifier()
  #line = 1
  #column = 1

  /** The place of the fault, counted from 1, where this piece has one. */
  find(piece: string): { line: number; column: number } | undefined {
    try {
      this.#verify(piece)
    } catch (error) {
      const { line, pos } = error as VerifierError // the verifier throws nothing else
      return { line, column: pos }
    }
    this.#advance(piece)
    return undefined
  }

  /** The place of a fault that shows only at the end, which may be the end itself. */
  end(): { line: number; column: number } {
    return this.find(padding) ?? { line: this.#line, column: this.#column - padding.length }
  }

  #advance(piece: string): void {
    const last = piece.lastIndexOf('\n')
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', at + 1)) this.#line += 1
    this.#column = last < 0 ? this.#column + piece.length : piece.length - last
  }
}

/** The column of the first fault in one line of JSON. */
export function faultColumn(line: string): number {
  const finder = new JsonFaultFinder()
  return (finder.find(line) ?? finder.end()).column
}
