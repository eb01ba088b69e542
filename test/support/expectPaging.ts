import { expect } from 'vitest'
import { expectProblem } from './problems.ts'

type Send = (query: Readonly<Record<string, string | number>>) => Promise<Response>

async function pageOf(send: Send, query: Readonly<Record<string, string | number>>): Promise<unknown> {
  const response = await send(query)
  expect(response.status).toBe(200)
  return response.json()
}

/** Checks that a list of at least three answers exactly these items in this order, and what `offset` and `limit` make of it. */
export async function expectPaging(send: Send, items: readonly unknown[]): Promise<void> {
  const total = items.length
  expect(await pageOf(send, {})).toEqual({ items, total, offset: 0, limit: 100 })
  expect(await pageOf(send, { offset: 0, limit: 1000 })).toEqual({ items, total, offset: 0, limit: 1000 })
  expect(await pageOf(send, { limit: 2 })).toEqual({ items: items.slice(0, 2), total, offset: 0, limit: 2 })
  expect(await pageOf(send, { offset: 1, limit: 1 })).toEqual({ items: items.slice(1, 2), total, offset: 1, limit: 1 })
  expect(await pageOf(send, { offset: total - 1 })).toEqual({ items: items.slice(-1), total, offset: total - 1, limit: 100 })
  for (const offset of [total, 2 ** 31, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
    expect(await pageOf(send, { offset })).toEqual({ items: [], total, offset, limit: 100 })
  }
}

/** Checks that a list refuses pages beyond the bounds, and parameters that it does not know, by name. */
export async function expectPageBounds(send: Send): Promise<void> {
  const wrong = { limit: [0, 1001, -1, 1.5, 'many', ''], offset: [-1, 0.5, '9007199254740992', 'x'], page: [1] }
  for (const [name, values] of Object.entries(wrong)) {
    for (const value of values) {
      const { errors } = await expectProblem(await send({ [name]: value }), 'validation_failed')
      expect(errors).toMatchObject([{ path: `/${name}`, in: 'query' }])
    }
  }
}
