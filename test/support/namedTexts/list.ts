import { describe, expect } from 'vitest'
import { test } from '../api.ts'
import { createNamedText, type NamedText, type NamedTextRecord } from './records.ts'

interface Listed {
  readonly items: NamedTextRecord[]
  readonly total: number
  readonly offset: number
  readonly limit: number
}

/** What listing named texts does, whichever kind they are. */
export function describeNamedTextList(kind: NamedText): void {
  const id = `secrets.${kind}.list` as const

  describe(id, () => {
    test('answers an empty list, then whole records in the order of their creation, page by page', async ({ api, sendAs }) => {
      const list = async (query: Record<string, number> = {}) => (await (await sendAs(api.adminKey, id, { query })).json()) as Listed
      expect(await list()).toEqual({ items: [], total: 0, offset: 0, limit: 100 })
      const records: NamedTextRecord[] = []
      for (const name of ['c', 'a', 'b']) records.push(await createNamedText(api, kind, name, `text of ${name}`))
      expect(await list()).toEqual({ items: records, total: 3, offset: 0, limit: 100 })
      expect(await list({ offset: 1, limit: 1 })).toEqual({ items: records.slice(1, 2), total: 3, offset: 1, limit: 1 })
      expect(await list({ offset: 3 })).toEqual({ items: [], total: 3, offset: 3, limit: 100 })
    })

    test.for([{ limit: 0 }, { limit: 1001 }, { offset: -1 }, { name: 'a' }])('refuses the query %j and names the parameter', async (query, { api, sendAs }) => {
      const response = await sendAs(api.adminKey, id, { query })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ errors: [{ path: `/${Object.keys(query)[0]}`, in: 'query' }] })
    })
  })
}
