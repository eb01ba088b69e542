import { KnownDevices } from 'puppeteer'
import { describe, expect } from 'vitest'
import { test } from '../support/api.ts'

describe('krull.device.list', () => {
  test('lists the desktop and every device that Puppeteer knows, with their viewports', async ({ call }) => {
    const { items, total } = await call('krull.device.list', { query: { limit: 1000 } })
    expect(items[0]).toMatchObject({ name: 'Desktop', viewport: { isMobile: false } })
    expect(items.slice(1)).toEqual(Object.entries(KnownDevices).map(([name, { userAgent, viewport }]) => ({ name, userAgent, viewport })))
    expect(total).toBe(items.length)
  })

  test('is paged', async ({ call }) => {
    expect(await call('krull.device.list', { query: { offset: 1, limit: 2 } })).toMatchObject({ items: [{}, {}], offset: 1, limit: 2 })
  })
})
