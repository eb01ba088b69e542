import { describe, expect, test } from 'vitest'
import { openLogger, redact, type Logger } from '../../src/platform/logger.ts'

const key = `svc_${'0a'.repeat(16)}_canary-Key_9`

function openTestLogger(level = 'trace') {
  const lines: string[] = []
  const log = openLogger(level, 'test', { write: (line) => void lines.push(line) })
  const last = (): Record<string, unknown> => JSON.parse(lines.at(-1) ?? '') as Record<string, unknown>
  return { log, lines, last }
}

describe('the log', () => {
  test('is one JSON line an event, with level, time, process and message', () => {
    const { log, lines, last } = openTestLogger()
    log.info({ status: 200 }, 'two\nlines')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^\{[^\n]*\}\n$/)
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string
    expect(last()).toEqual({ level: 'info', time, process: 'test', status: 200, msg: 'two\nlines' })
  })

  test('leaves out what is below its level', () => {
    const { log, lines } = openTestLogger('warn')
    log.info('quiet')
    log.warn('loud')
    expect(lines).toHaveLength(1)
  })

  test('drops every field that is not on its list, on lines and on child loggers', () => {
    const { log, last } = openTestLogger()
    const usual = { level: 'info', time: expect.any(String) as string, process: 'test' }
    log.info({ operation: 'a.b.c', password: 'canary', headers: { authorization: 'canary' } }, 'line')
    expect(last()).toEqual({ ...usual, operation: 'a.b.c', msg: 'line' })
    log.child({ job: 'j', token: 'canary' }).child({ jobId: '1', body: 'canary' }).info({ secret: 'canary', attempt: 2 }, 'child')
    expect(last()).toEqual({ ...usual, job: 'j', jobId: '1', attempt: 2, msg: 'child' })
  })

  test.for<[place: string, write: (log: Logger, text: string) => void]>([
    ['a field', (log, url) => log.info({ url }, 'x')],
    ['a child field', (log, url) => log.child({ url }).info('x')],
    ['the message', (log, text) => log.info(text)],
    ['an error', (log, text) => log.error({ err: new Error(text) }, 'x')],
    ['an error without a message beside it', (log, text) => log.error({ err: new Error(text) })],
    ['a bare error', (log, text) => log.error(new Error(text))],
    ['the cause of an error', (log, text) => log.error({ err: new Error('outer', { cause: new Error(text) }) }, 'x')],
    ['something else that was thrown', (log, text) => log.error({ err: text }, 'x')],
  ])('masks passwords in addresses and API keys in %s', ([, write]) => {
    const { log, lines, last } = openTestLogger()
    write(log, `at redis://user:canary@host:1/2 with ${key}, "quoted"`)
    expect(lines.join()).not.toContain('canary')
    expect(lines.join()).toContain('redis://***@host:1/2 with svc_***, ')
    expect(last()).toMatchObject({ process: 'test' })
  })

  test('tells type, message, code and stack of an error and of its causes', () => {
    const { log, last } = openTestLogger()
    const cause = Object.assign(new TypeError('inner'), { code: 'ECONNREFUSED', password: 'canary' })
    log.error({ err: new Error('outer', { cause }) }, 'failed')
    expect(last()['err']).toEqual({
      type: 'Error',
      message: 'outer',
      stack: expect.stringContaining('logger.test') as string,
      cause: { type: 'TypeError', message: 'inner', code: 'ECONNREFUSED', stack: expect.any(String) as string },
    })
  })

  test('ends with causes that go round in a circle', () => {
    const { log, last } = openTestLogger()
    const error = new Error('round')
    error.cause = error
    log.error({ err: error }, 'failed')
    expect(last()).toMatchObject({ msg: 'failed', err: { cause: { message: 'round' } } })
  })
})

describe('redact', () => {
  test.for<[text: string, shown: string]>([
    ['postgres://quern:p@ss@host/db', 'postgres://***@host/db'],
    ['redis://:p%40ss@host', 'redis://***@host'],
    ['POSTGRES://a:b@h', 'POSTGRES://***@h'],
    ['two http://a:b@c and https://d:e@f/g', 'two http://***@c and https://***@f/g'],
    ['https://host/path?to=a@b', 'https://host/path?to=a@b'],
    ['mail to a@b', 'mail to a@b'],
    [`${key}.`, 'svc_***.'],
    ['svc_short_key', 'svc_short_key'],
  ])('shows %s as %s', ([text, shown]) => {
    expect(redact(text)).toBe(shown)
  })
})
