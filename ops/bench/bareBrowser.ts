import type { Browser, BrowserContext, Page } from 'puppeteer'
import { launchBrowser } from '../../workers/browser/launch.ts'

/** A bare Puppeteer loop: so many pages, so many of them at once, in the way that is named; writes the milliseconds that they took. */
const [, , way = '', url = '', count, atOnce] = process.argv

const select = (page: Page): Promise<unknown> => page.$$eval('a.item', (links) => links.map(({ outerHTML, innerText }) => ({ outerHTML, innerText })))

const ways: Readonly<Record<string, (page: Page) => Promise<unknown>>> = { selector: select, open: select, screenshot: (page) => page.screenshot({ fullPage: true, type: 'jpeg' }) }

/** The browsers of a worker go nowhere by themselves; a bare one goes straight. */
const openContext = (browser: Browser): Promise<BrowserContext> => browser.createBrowserContext({ proxyServer: 'direct://' })

async function inFreshContext(browser: Browser, address: string): Promise<void> {
  const context = await openContext(browser)
  const page = await context.newPage()
  await page.goto(address)
  await ways[way]?.(page)
  await context.close()
}

async function visitAll(browser: Browser, prefix: string, total: number): Promise<number> {
  const start = performance.now()
  let next = 0
  const lane = async (): Promise<void> => {
    const page = way === 'open' ? await (await openContext(browser)).newPage() : null
    for (let index = next++; index < total; index = next++) {
      if (!page) await inFreshContext(browser, `${prefix}/${index}`)
      else await page.goto(`${prefix}/${index}`).then(() => select(page))
    }
    await page?.close()
  }
  await Promise.all(Array.from({ length: Number(atOnce) }, lane))
  return performance.now() - start
}

const { browser, close } = await launchBrowser()
await visitAll(browser, `${url}/warm`, Number(atOnce) * 2)
process.stdout.write(JSON.stringify(await visitAll(browser, url, Number(count))))
await close()
