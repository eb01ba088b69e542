import { describe, expect } from 'vitest'
import { test } from '../api.ts'
import { expectPageBounds, expectPaging } from '../expectPaging.ts'
import { createConfig, draftOf, otherDraftOf, type ConfigRecord, type SealedKind } from './records.ts'

/** What listing records with a sealed config does, whichever kind they are. */
export function describeSealedList(kind: SealedKind): void {
  const id = `secrets.${kind}.list` as const

  describe(id, () => {
    test('answers an empty list, then whole records with masked secrets in the order of their creation, page by page', async ({ api, sendAs }) => {
      const list = (query: Readonly<Record<string, string | number>>) => sendAs(api.adminKey, id, { query })
      expect(await (await list({})).json()).toEqual({ items: [], total: 0, offset: 0, limit: 100 })
      const records: ConfigRecord[] = []
      for (const name of ['c', 'a', 'b']) records.push(await createConfig(api, kind, draftOf(kind, name, { accessKeyId: 'hidden', secretAccessKey: 'hidden' })))
      records.push(await createConfig(api, kind, otherDraftOf(kind, 'd', 'hidden')))
      expect(JSON.stringify(records)).not.toMatch(/hidden|sealed/)
      await expectPaging(list, records)
    })

    test('refuses pages beyond the bounds and names the parameter', async ({ api, sendAs }) => {
      await expectPageBounds((query) => sendAs(api.adminKey, id, { query }))
    })
  })
}
