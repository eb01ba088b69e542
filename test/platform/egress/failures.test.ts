import { describe, expect, test } from 'vitest'
import { toProblem } from '../../../src/platform/egress/failures.ts'

const failed = (code: string): Error => Object.assign(new Error(code), { code })

describe('a connection that failed', () => {
  test.for([
    ['ECONNREFUSED', 'target_failed', 'shop.example refused the connection.'],
    ['UND_ERR_HEADERS_TIMEOUT', 'target_timeout', 'shop.example did not begin to answer in time.'],
    ['CERT_HAS_EXPIRED', 'target_failed', 'shop.example cannot be trusted: its certificate has expired.'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'target_failed', 'shop.example does not speak TLS as it should.'],
    ['ESOMETHING', 'target_failed', 'shop.example could not be asked.'],
  ])('by %s is the fault of its target', ([code = '', problem, message]) => {
    expect(toProblem(failed(code), 'shop.example')).toMatchObject({ code: problem, message })
  })

  test.for(['EMFILE', 'ENFILE'])('by %s is no fault of its target, and says what to do', (code) => {
    expect(toProblem(failed(code), 'shop.example')).toMatchObject({ code: 'unavailable', message: expect.stringContaining('ulimit -n') as unknown })
  })

  test('is what the socket said, where it was wrapped', () => {
    expect(toProblem(Object.assign(new Error('other side closed', { cause: failed('ECONNRESET') }), { code: 'UND_ERR_SOCKET' }), 'a.example')).toMatchObject({ message: 'a.example reset the connection.' })
  })
})
