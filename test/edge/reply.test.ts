import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import Koa from 'koa'
import { describe, expect, test } from 'vitest'
import { answer } from '../../src/api/reply.ts'
import { operations } from '../../src/contract/index.ts'

const request = new IncomingMessage(new Socket())
const openContext = (): Koa.Context => new Koa().createContext(request, new ServerResponse(request))

const breaking = (error: Error) => ({
  items: [],
  toJSON: () => {
    throw error
  },
})

describe('an answer', () => {
  test('that no text can hold is refused with advice, and not taken for a fault of ours', async () => {
    const tooLong = answer(openContext(), operations['sirp.query.list'], breaking(new RangeError('Invalid string length')))
    await expect(tooLong).rejects.toMatchObject({ code: 'unprocessable', message: expect.stringContaining('limit') as string })
    await expect(answer(openContext(), operations['sirp.query.list'], breaking(new TypeError('x')))).rejects.toThrow(TypeError)
  })
})
