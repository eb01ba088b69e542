import { Problem } from '../../platform/errors.ts'

/** Most characters of a text that a query makes, as of a row that it reads: texts that are put into each other grow beyond all bounds. */
export const maxMadeChars = 8 * 2 ** 20

/** The text, unless it is too long. */
export function made(text: string): string {
  checkLength(text.length)
  return text
}

/** The pieces of a text, one behind the other. */
export function joinMade(pieces: Iterable<string>): string {
  let text = ''
  for (const piece of pieces) {
    text += piece
    checkLength(text.length)
  }
  return text
}

/** The text with another one in place of every occurrence of one. */
export function replaceMade(text: string, what: string, by: string): string {
  if (what === '' || !text.includes(what)) return text
  const pieces = text.split(what)
  checkLength(text.length + (pieces.length - 1) * (by.length - what.length))
  return pieces.join(by)
}

function checkLength(length: number): void {
  if (length <= maxMadeChars) return
  throw new Problem('unprocessable', `A text would have more than ${maxMadeChars.toLocaleString('en')} characters. Put less into it, or cut what goes in with substr.`)
}
