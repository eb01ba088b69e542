import { describe, expect, test } from 'vitest'
import { EgressGuard, type Resolve } from '../../../src/platform/egress/guard.ts'

const names: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['93.184.216.34'],
  'private.example': ['10.0.0.7'],
  'mixed.example': ['10.0.0.7', '93.184.216.34'],
  'v6.example': ['2606:4700::1111'],
}
const resolve: Resolve = (host) => {
  const found = names[host]
  return found ? Promise.resolve(found) : Promise.reject(new Error('ENOTFOUND'))
}

const forbidden = { code: 'target_forbidden', status: 403 }

describe('EgressGuard', () => {
  const guard = new EgressGuard([], resolve)

  test('answers the public address of a name', async () => {
    await expect(guard.admit('Public.Example.', 443)).resolves.toEqual({ address: '93.184.216.34', family: 4 })
    await expect(guard.admit('v6.example', 443)).resolves.toEqual({ address: '2606:4700::1111', family: 6 })
  })

  test('passes over the private addresses of a name that also has a public one', async () => {
    await expect(guard.admit('mixed.example', 80)).resolves.toEqual({ address: '93.184.216.34', family: 4 })
  })

  test.for(['private.example', '127.0.0.1', '[::1]', '::1', '169.254.169.254', '0', '2130706433', '0x7f.1', '127.1', 'metadata.google.internal', 'a b', ''])('refuses %j', async (host) => {
    await expect(guard.admit(host, 80)).rejects.toMatchObject(forbidden)
  })

  test('tells a name that does not resolve from one that may not be reached', async () => {
    await expect(guard.admit('nothing.example', 80)).rejects.toMatchObject({ code: 'target_failed', status: 502 })
  })

  test('opens what EGRESS_ALLOW lists: a range by the resolved address, a pair by the name as written', async () => {
    const open = new EgressGuard(['10.0.0.0/24', '127.0.0.1:8080', 'fd00::/8'], resolve)
    await expect(open.admit('private.example', 80)).resolves.toMatchObject({ address: '10.0.0.7' })
    await expect(open.admit('127.0.0.1', 8080)).resolves.toMatchObject({ address: '127.0.0.1' })
    await expect(open.admit('127.0.0.1', 8081)).rejects.toMatchObject(forbidden)
    await expect(open.admit('10.0.1.1', 80)).rejects.toMatchObject(forbidden)
    await expect(open.admit('[fd00::1]', 80)).resolves.toMatchObject({ family: 6 })
  })

  test.for(['ftp://public.example', 'file:///etc/passwd', 'javascript:1', 'public.example', 'http://user@public.example', 'http://:secret@public.example', 'http://'])('does not read %j as an address', (url) => {
    expect(() => guard.parseUrl(url)).toThrow(/./)
  })
})
