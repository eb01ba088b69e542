import { describe, expect, test } from 'vitest'
import { SecretBox, UnsealError, type Place } from '../../src/platform/secretBox.ts'

const [first, second, third] = ['a', 'b', 'c'].map((letter) => letter.repeat(40)) as [string, string, string]
const place: Place = { table: 'stores', id: '1', field: 'sealed' }
const box = new SecretBox(first)

/** A sealed value with one part replaced. */
function replacePart(sealed: string, index: number, change: (bytes: Buffer) => Buffer): string {
  const parts = sealed.split('.')
  parts[index] = change(Buffer.from(parts[index] ?? '', 'base64url')).toString('base64url')
  return parts.join('.')
}

function flipBit(bytes: Buffer, at: number): Buffer {
  const flipped = Buffer.from(bytes)
  flipped[at] = (flipped[at] ?? 0) ^ 1
  return flipped
}

describe('a secret box', () => {
  test.for(['', 'secret', 'ünïcödé 👍\n\0', 'x'.repeat(1_000_000)])('opens what it sealed, whatever the text', (text) => {
    expect(box.open(place, box.seal(place, text))).toBe(text)
  })

  test('never seals twice alike, and shows nothing of the text but its length', () => {
    const sealed = [box.seal(place, 'canary'), box.seal(place, 'canary')]
    expect(sealed[0]).not.toBe(sealed[1])
    expect(sealed[0]).toMatch(new RegExp(`^v1\\.${box.keyId}\\.[\\w-]+\\.[\\w-]+$`))
    expect(sealed.join()).not.toContain('canary')
    expect(box.keyId).not.toContain(first.slice(0, 8))
  })

  test.for<Place>([
    { ...place, table: 'secrets' },
    { ...place, id: '2' },
    { ...place, field: 'other' },
    { table: 'stores', id: '1"],["', field: 'sealed' },
    { table: 'stores1', id: '', field: 'sealed' },
  ])('opens a value in its own place only, not in %j', (other) => {
    expect(() => box.open(other, box.seal(place, 'secret'))).toThrow(UnsealError)
    expect(() => new SecretBox(second, [first]).rewrap(other, box.seal(place, 'secret'))).toThrow(UnsealError)
  })

  test('refuses what another key sealed, and names that key by its id', () => {
    const sealed = new SecretBox(second).seal(place, 'secret')
    expect(() => box.open(place, sealed)).toThrow(new SecretBox(second).keyId)
    // The same with the id of our own key on it.
    expect(() => box.open(place, sealed.replace(/^v1\.\w+/, `v1.${box.keyId}`))).toThrow(UnsealError)
  })

  test('refuses every changed bit of either part', () => {
    const sealed = box.seal(place, 'secret')
    for (const part of [2, 3]) {
      const length = Buffer.from(sealed.split('.')[part] ?? '', 'base64url').length
      for (let at = 0; at < length; at += 1) {
        const changed = replacePart(sealed, part, (bytes) => flipBit(bytes, at))
        expect(() => box.open(place, changed)).toThrow(UnsealError)
      }
    }
  })

  test('refuses parts that are cut short, down to nothing', () => {
    const sealed = box.seal(place, 'secret')
    for (const part of [2, 3]) {
      for (let keep = 0; keep < 34; keep += 1) {
        const cut = replacePart(sealed, part, (bytes) => bytes.subarray(0, keep))
        expect(() => box.open(place, cut)).toThrow(UnsealError)
      }
    }
  })

  test('refuses parts of two values put together', () => {
    const [, , wrapped] = box.seal(place, 'one').split('.')
    const [version, keyId, , value] = box.seal(place, 'two').split('.')
    expect(() => box.open(place, [version, keyId, wrapped, value].join('.'))).toThrow(UnsealError)
  })

  test.for(['', 'v1', 'plain text', 'v2.a.b.c', '...', 'v1...'])('refuses %j as no sealed value', (text) => {
    expect(() => box.open(place, text)).toThrow(UnsealError)
  })

  test('refuses a sealed value with something behind it', () => {
    expect(() => box.open(place, `${box.seal(place, 'secret')}.more`)).toThrow('not a sealed value')
  })
})

describe('a secret box with earlier keys', () => {
  const rotated = new SecretBox(third, [second, first])

  test('opens what each of them sealed, and seals with the current one', () => {
    for (const earlier of [first, second, third]) expect(rotated.open(place, new SecretBox(earlier).seal(place, earlier))).toBe(earlier)
    expect(new SecretBox(third).open(place, rotated.seal(place, 'new'))).toBe('new')
  })

  test('rewraps what an earlier key sealed without touching the ciphertext, and leaves its own alone', () => {
    const old = box.seal(place, 'secret')
    const fresh = rotated.rewrap(place, old) ?? ''
    expect(fresh.split('.')[3]).toBe(old.split('.')[3])
    expect(fresh.startsWith(`v1.${rotated.keyId}.`)).toBe(true)
    expect(new SecretBox(third).open(place, fresh)).toBe('secret')
    expect(() => box.open(place, fresh)).toThrow(UnsealError)
    expect(rotated.rewrap(place, fresh)).toBeNull()
  })

  test('refuses to rewrap what no key opens', () => {
    expect(() => new SecretBox(second).rewrap(place, box.seal(place, 'secret'))).toThrow(UnsealError)
  })
})
