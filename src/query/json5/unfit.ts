/** Why a text that may be JSON cannot be used; the message goes on after "it". */
export class UnfitJson extends Error {
  override readonly name = 'UnfitJson'
}

/** Says which character of a text is none that JSON allows there. */
export function unexpected(text: string, at: number): Error {
  const character = text.codePointAt(at)
  if (character === undefined) return new Error('invalid end of input')
  const before = text.slice(0, at).split(/\r\n|[\n\r\u2028\u2029]/)
  const shown = JSON.stringify(String.fromCodePoint(character)).slice(1, -1)
  return new Error(`invalid character '${shown}' at ${before.length}:${(before.at(-1) ?? '').length + 1}`)
}
