import { describe, expect, test } from 'vitest'
import { normalizeHost } from '../../src/platform/hosts.ts'

describe('normalizeHost', () => {
  test.for<[given: string, host: string]>([
    ['shop.example', 'shop.example'],
    ['SHOP.Example', 'shop.example'],
    ['shop.example.', 'shop.example'],
    ['localhost', 'localhost'],
    ['a_b.example', 'a_b.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['bücher。example。', 'xn--bcher-kva.example'],
    ['ｓｈｏｐ.example', 'shop.example'],
    ['👍.example', 'xn--yp8h.example'],
    ['127.0.0.1', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['0x7f.0.0.1', '127.0.0.1'],
    ['1.2.3.4.', '1.2.3.4'],
    ['::1', '[::1]'],
    ['[::1]', '[::1]'],
    ['2001:DB8::0:1', '[2001:db8::1]'],
    ['::ffff:1.2.3.4', '[::ffff:102:304]'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ])('spells %s as %s', ([given, host]) => {
    expect(normalizeHost(given)).toBe(host)
    expect(normalizeHost(host)).toBe(host)
  })

  test.for([
    '', '.', '..', 'a..b', '.a', 'a.example..', '-a.example', 'a-.example', `${'a'.repeat(64)}.example`, `${'a.'.repeat(130)}example`,
    'a b', ' a', 'a\n', 'a/b', 'https://a', 'a:80', 'u@a', 'a?b', 'a#b', 'a\\b', 'a,b', 'a\0b', '\u200b', '*.a', '%61', 'a%2eb',
    '1.2.3.4.5', '999.1.1.1', '[::1', '::1]', ':::1', '[::1]:80',
  ])('finds no bare host in %j', (text) => {
    expect(normalizeHost(text)).toBeNull()
  })
})
