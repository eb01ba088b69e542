import { describe, expect, test } from 'vitest'
import { openMemoryCellar } from '../../support/memoryCellar.ts'
import { openOutside } from '../../support/outside.ts'
import { runQuery } from '../../support/runQuery.ts'
import { faultsOf } from '../../support/seedRows.ts'

const outside = openOutside({ cellar: openMemoryCellar({ prices: [{ sku: 'a', price: 1 }, { sku: 'b', price: 2 }] }) })

describe('thaw', () => {
  test('makes the rows of a cellar file', async () => {
    expect((await runQuery('thaw prices', { outside })).rows).toEqual([{ sku: 'a', price: 1 }, { sku: 'b', price: 2 }])
  })

  test('reads no further than it is asked for', async () => {
    expect((await runQuery('thaw prices || head 1', { outside })).rows).toEqual([{ sku: 'a', price: 1 }])
  })

  test('fails where there is no such file', async () => {
    await expect(runQuery('thaw nothing', { outside })).rejects.toMatchObject({ code: 'not_found', message: 'There is no cellar file "nothing".' })
  })

  test.for(["'a/b'", "'.'", "' a'", "''"])('refuses a name that no file can have: %s', (name) => {
    expect(faultsOf(`thaw ${name}`)).toMatchObject([{ at: name, message: expect.stringContaining('must have 1 to 1000 characters') }])
  })

  test('refuses a name of such a kind also where a token makes it', async () => {
    await expect(runQuery("thaw 'x:$TIMESTAMP$'", { outside })).rejects.toMatchObject({ code: 'unprocessable' })
  })

  test('wants a store and a key together', () => {
    expect(faultsOf('thaw prices --key a')).toMatchObject([{ at: 'thaw', message: expect.stringContaining('no --store') }])
    expect(faultsOf('thaw prices --store archive')).toMatchObject([{ at: 'thaw', message: expect.stringContaining('no --key') }])
  })
})
