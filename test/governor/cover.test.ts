import { describe, expect, test } from 'vitest'
import { defaultLimits, namesCovering } from '../../src/governor/cover.ts'

describe('namesCovering', () => {
  test.for([
    ['a.b.example', ['a.b.example', 'b.example', 'example']],
    ['localhost', ['localhost']],
    ['10.0.0.1', ['10.0.0.1']],
    ['[2001:db8::1]', ['[2001:db8::1]']],
  ] as const)('lists the host %s and its parents', ([host, names]) => {
    expect(namesCovering(host)).toEqual(names)
  })
})

describe('defaultLimits', () => {
  test('reads the three windows, or none', () => {
    expect(defaultLimits('1/10/60')).toEqual({ perSecond: 1, perTenSeconds: 10, perMinute: 60 })
    expect(defaultLimits('0/0/0')).toEqual({ perSecond: 0, perTenSeconds: 0, perMinute: 0 })
    expect(defaultLimits('off')).toEqual({})
  })
})
