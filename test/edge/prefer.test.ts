import { describe, expect, test } from 'vitest'
import { preferencesOf } from '../../src/api/prefer.ts'

describe('the header Prefer', () => {
  test.for([
    ['', {}],
    ['wait=5', { waitS: 5 }],
    ['WAIT = "5"', { waitS: 5 }],
    ['wait=5; foo', { waitS: 5 }],
    ['respond-async, wait=5;foo=bar', { waitS: 5, async: true }],
    ['return=minimal, respond-async;x', { async: true }],
    ['wait', { waitS: 60 }],
    ['wait=100000', { waitS: 600 }],
    ['wait=-1', {}],
    ['wait=five; wait=5', {}],
  ] as const)('%j asks for %j', ([header, preferences]) => {
    expect(preferencesOf(header)).toEqual(preferences)
  })
})
