import { describe, expect, test } from 'vitest'
import { Problem } from '../../src/platform/errors.ts'
import { databaseUnavailable, isDuplicate, isUnavailable } from '../../src/platform/prisma/failures.ts'

const coded = (code: string): Error => Object.assign(new Error('failed'), { code })

describe('isUnavailable', () => {
  test.for([
    coded('ECONNREFUSED'), coded('57P01'), coded('53300'), coded('40P01'), coded('25P03'), coded('P1001'), coded('P2028'),
    new Error('Connection terminated unexpectedly'), new Error('timeout expired'), new Error('Query read timeout'), new Error('Client was closed and is not queryable'),
    new Error('outer', { cause: new Error('inner', { cause: coded('ECONNRESET') }) }),
    Object.assign(new Error('ConnectionClosed'), { cause: { kind: 'ConnectionClosed' } }),
    Object.assign(new Error('P2010'), { code: 'P2010', meta: { driverAdapterError: { cause: { kind: 'DatabaseNotReachable' } } } }),
  ])('%#: knows a database that is away', (error) => {
    expect(isUnavailable(error)).toBe(true)
  })

  test.for([coded('23505'), coded('22P02'), new Error('something else'), new TypeError('x is not a function'), undefined, null, 'ECONNREFUSED', { code: 7 }])('%#: does not take other failures for it', (error) => {
    expect(isUnavailable(error)).toBe(false)
  })

  test('does not take a target that cannot be reached for the database', () => {
    expect(isUnavailable(new Problem('target_failed', 'It refused the connection.', { cause: coded('ECONNREFUSED') }))).toBe(false)
    expect(isUnavailable(databaseUnavailable(coded('ECONNREFUSED')))).toBe(true)
  })
})

describe('isDuplicate', () => {
  test('knows broken unique constraints, however deep', () => {
    expect(isDuplicate(coded('P2002'))).toBe(true)
    expect(isDuplicate(Object.assign(new Error('x'), { cause: { kind: 'UniqueConstraintViolation' } }))).toBe(true)
    expect(isDuplicate(Object.assign(new Error('x'), { cause: { originalCode: '23P01' } }))).toBe(true)
    expect(isDuplicate(coded('23503'))).toBe(false)
  })
})
