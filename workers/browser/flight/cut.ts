import { unfinishedBytes } from '../../../src/platform/utf8.ts'

/** The beginning of a text, at most so many bytes of UTF-8; a copy, so that a long text is not held by its beginning. */
export function cut(text: string, most: number): string {
  if (text.length * 3 <= most) return text
  const bytes = Buffer.from(text.slice(0, most)).subarray(0, most)
  return bytes.toString('utf8', 0, bytes.length - unfinishedBytes(bytes))
}
