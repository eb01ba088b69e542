import type { Cell } from '../rows.ts'

/** Characters of a text that count for its hash: the beginning and the end. */
const hashedChars = 128

/** A number for a key that differs from level to level. */
export function hashOf(key: Cell, level: number): number {
  const text = String(key)
  let hash = 0x811c9dc5 ^ Math.imul(level + 1, 0x9e3779b1)
  const mix = (code: number): void => void (hash = Math.imul(hash ^ code, 0x01000193))
  mix(text.length)
  for (let at = 0; at < text.length && at < hashedChars; at += 1) mix(text.charCodeAt(at))
  for (let at = Math.max(hashedChars, text.length - hashedChars); at < text.length; at += 1) mix(text.charCodeAt(at))
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
