import { createHash } from 'node:crypto'
import { PNG } from 'pngjs'
import { describe, expect, it } from 'vitest'
import type { ScreenshotDraft } from '../../../../src/contract/krull/pages.ts'
import { clipArea } from '../../../../workers/browser/steps/clip.ts'
import { sizeOf } from '../../../../workers/browser/steps/imageSize.ts'
import { tasks } from '../../../../workers/browser/steps/tasks.ts'
import { openBench, problemOf } from '../../../support/browserTasks.ts'

const box = '<div id=box style="position:absolute;left:100px;top:1500px;width:120px;height:80px;background:rgb(255,0,0)"></div>'

const bench = openBench({
  '/': `<!doctype html><title>boxes</title><meta name=viewport content="width=device-width">
    <body style="margin:0;background:rgb(0,0,255)">${box}<i style="display:none">x</i>`,
  '/plain': '<!doctype html><title>plain</title><body style="margin:0">',
  '/tall': '<!doctype html><body style="margin:0"><div style="height:100000px;background:lime"></div>',
  '/wide': '<!doctype html><body style="margin:0"><div style="width:30000px;height:30000px;background:lime"></div>',
})

const take = async (path: string, more: Partial<ScreenshotDraft> = {}) => {
  const { answer, picture } = await tasks['page.screenshot']({ url: `${bench.url}${path}`, device: 'Desktop', ...more }, bench.tools())
  if (!picture) throw new Error('There is no picture.')
  return { answer, picture, size: [picture.width, picture.height] }
}
const pixel = (bytes: Buffer, x: number, y: number): number[] => {
  const { data, width } = PNG.sync.read(bytes)
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)]
}

describe('a screenshot', { timeout: 60_000 }, () => {
  it('shows the whole page, as a jpeg unless asked otherwise', async () => {
    const { answer, picture } = await take('/')
    const hash = createHash('sha256').update(picture.bytes).digest('hex')
    expect(answer.screenshot).toEqual({ hash, type: 'jpeg', width: 1280, height: 1580, bytes: picture.bytes.length, url: `/v1/screenshot/${hash}` })
    expect(picture.bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
    expect(sizeOf(picture.bytes, 'jpeg')).toEqual({ width: 1280, height: 1580 })
    expect(answer).toMatchObject({ attempts: 1, page: { title: 'boxes', status: 200 } })
  })

  it('is a png, a jpeg of some quality, or a webp', async () => {
    const png = await take('/', { type: 'png' })
    expect(PNG.sync.read(png.picture.bytes)).toMatchObject({ width: 1280, height: 1580 })
    expect([pixel(png.picture.bytes, 5, 5), pixel(png.picture.bytes, 110, 1510)]).toEqual([[0, 0, 255, 255], [255, 0, 0, 255]])
    const [poor, good] = [await take('/', { quality: 1.4 }), await take('/', { quality: 100 })]
    expect(poor.picture.bytes.length).toBeLessThan(good.picture.bytes.length)
    const { picture } = await take('/', { type: 'webp' })
    expect([picture.bytes.toString('latin1', 0, 4), picture.bytes.toString('latin1', 8, 12)]).toEqual(['RIFF', 'WEBP'])
    expect(picture).toMatchObject({ type: 'webp', width: 1280, height: 1580 })
  })

  it('shows the first element that a selector matches', async () => {
    const { picture, size } = await take('/', { selector: 'div', type: 'png' })
    expect(size).toEqual([120, 80])
    expect([pixel(picture.bytes, 0, 0), pixel(picture.bytes, 119, 79)]).toEqual([[255, 0, 0, 255], [255, 0, 0, 255]])
    expect((await take('/', { selector: 'div:first', engine: 'jquery', device: 'Pixel 5' })).size).toEqual([360, 240])
  })

  it('fails with selector_not_found where nothing matches, or nothing is to be seen', async () => {
    expect(await problemOf(take('/', { selector: 'table' }))).toMatchObject({ code: 'selector_not_found' })
    expect(await problemOf(take('/', { selector: 'i' }))).toMatchObject({ code: 'selector_not_found' })
    expect(await problemOf(take('/', { selector: 'i[' }))).toMatchObject({ code: 'validation_failed' })
  })

  it('has the size of the view that was asked for, or that of the device', async () => {
    expect((await take('/plain', { viewportWidth: 640.4, viewportHeight: 333 })).size).toEqual([640, 333])
    const { device: _device, ...onPhone } = { url: `${bench.url}/plain`, device: '', viewportWidth: 500, viewportHeight: 300 }
    expect((await tasks['page.screenshot'](onPhone, bench.tools())).picture).toMatchObject({ width: 500, height: 300 })
    expect((await take('/', { device: 'Pixel 5 landscape' })).size).toEqual([851 * 3, 1580 * 3])
  })

  it('has another background while it is taken, or none', async () => {
    const red = await take('/', { background: 'rgb(1, 2, 3)', type: 'png', session: true, expression: '7' })
    expect(pixel(red.picture.bytes, 5, 5)).toEqual([1, 2, 3, 255])
    expect(red.answer).toMatchObject({ result: 7, cookieStorage: {}, localStorage: {}, sessionStorage: {} })
    const clear = await take('/', { background: 'transparent', type: 'png' })
    expect([pixel(clear.picture.bytes, 5, 5), pixel(clear.picture.bytes, 110, 1510)]).toEqual([[0, 0, 0, 0], [255, 0, 0, 255]])
    expect((await take('/plain', { background: 'transparent' })).picture.type).toBe('jpeg')
  })

  it('is cut at 16,384 pixels a side and at 40 megapixels', async () => {
    expect((await take('/tall', { viewportWidth: 100, viewportHeight: 100 })).size).toEqual([100, 16_384])
    expect((await take('/tall', { viewportWidth: 100, viewportHeight: 100, type: 'webp' })).size).toEqual([100, 16_383])
    const [width = 0, height = 0] = (await take('/wide', { quality: 10 })).size
    expect(width).toBe(16_384)
    expect(width * height).toBeLessThanOrEqual(40_000_000)
  })
})

describe('the area of a picture', () => {
  it('stays within its bounds at every scale', () => {
    const huge = { x: 0, y: 0, width: 100_000, height: 100_000 }
    expect(clipArea(huge, 1, 'png')).toEqual({ x: 0, y: 0, width: 16_384, height: 2_441 })
    expect(clipArea(huge, 3, 'png')).toEqual({ x: 0, y: 0, width: 5_461, height: 813 })
    expect(clipArea({ ...huge, width: 0.2 }, 1, 'webp')).toEqual({ x: 0, y: 0, width: 1, height: 16_383 })
    expect(clipArea({ x: -3, y: 2.5, width: 10, height: 10.2 }, 2, 'jpeg')).toEqual({ x: 0, y: 2, width: 10, height: 11 })
  })
})
