import { describe, expect, test } from 'vitest'
import { faultsOf } from '../support/seedRows.ts'

describe('commands that work on one column', () => {
  test.for([
    'split a.* ,', 'json a.*', 'xml a.*', 'csv a.*', 'flatten a.*', 'html a.*', "extract a.* '(?<x>.)'", 'parseTimestamp a.*', 'urlparse a.*', "case a.* 'true' 1", 'join 0 a.*', 'join 0 n a.*',
  ])('refuse all below a prefix: %s', (stage) => {
    expect(faultsOf(`range 1 || ${stage}`)).toEqual([{ at: 'a.*', message: 'must be one column, and not all below a prefix' }])
  })
})
