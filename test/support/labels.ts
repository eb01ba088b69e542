/** Names that any label may be, up to its longest in letters and in characters beyond the first plane. */
export function goodLabels(max: number): string[] {
  return ['a', 'verify', 'schemas', 'a/b', 'a%2fb', '..a', 'a?b#c&d=e', "O'Brien; --", '__proto__', 'naïve 名前 \u202eabc', 'a'.repeat(max), '😀'.repeat(max)]
}

/** What no label may be: blank, dots only, space at an end, control characters, half a character, too long, not text. */
export function badLabels(max: number): unknown[] {
  const texts = ['', ' ', '\u3000', '.', '..', '...', ' a', 'a ', '\u00a0a', '\ta', 'a\n', 'a\u0000b', 'a\u007fb', '\ud83d', 'a'.repeat(max + 1), '😀'.repeat(max + 1)]
  return [...texts, 1, null, true, ['a'], { value: 'a' }]
}

/** Names in a path, as they are spelled there, that no label may be. */
export const badPathLabels = ['.', '..', '%2e', '%2E%2e', '%20', '%20a', 'a%20', 'a%0a', '%09a', '%e3%80%80', 'a'.repeat(1001)]

/** The value as a test name shows it. */
export const brief = (value: unknown): string => JSON.stringify(value).slice(0, 24)
