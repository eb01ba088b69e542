import { createHash } from 'node:crypto'
import type { Screenshot } from '../../../src/contract/screenshot/screenshots.ts'
import { Problem } from '../../../src/platform/errors.ts'
import { clipArea, type Area } from './clip.ts'
import { sizeOf, type ImageType } from './imageSize.ts'
import { finderSource, wrongSelector, type Engine } from './selector.ts'
import type { Tab } from './tab.ts'

/** What is captured, and how. */
export interface ScreenshotOptions {
  /** Its first match is captured; the whole page without one. */
  readonly selector?: string
  readonly engine?: Engine
  readonly type?: ImageType
  readonly quality?: number
  readonly background?: string
}

/** An image with what is known about it. */
export interface Picture {
  readonly bytes: Buffer
  readonly hash: string
  readonly type: ImageType
  readonly width: number
  readonly height: number
}

const scaleSource = '() => devicePixelRatio'

/** A rectangle is rounded outwards, so that nothing of the element is cut. */
const elementSource = (find: string): string => `({ selector }) => {
  let element
  try {
    element = (${find})(selector)[0]
  } catch {
    return { wrong: true }
  }
  if (!element) return { missing: true }
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  const { left, top, right, bottom } = Element.prototype.getBoundingClientRect.call(element)
  if (right <= left || bottom <= top) return { empty: true }
  const [x, y] = [Math.floor(left + scrollX), Math.floor(top + scrollY)]
  return { scale: devicePixelRatio, area: { x, y, width: Math.ceil(right + scrollX) - x, height: Math.ceil(bottom + scrollY) - y } }
}`

const paintSource = `({ background }) => {
  const roots = background === 'transparent' ? [document.documentElement, document.body] : [document.body]
  const before = roots.map((root) => root && root.getAttribute('style'))
  for (const root of roots) if (root) root.style.setProperty('background', background, 'important')
  return before
}`

const unpaintSource = `({ before }) => {
  const roots = before.length > 1 ? [document.documentElement, document.body] : [document.body]
  roots.forEach((root, index) => {
    if (!root) return
    if (before[index] === null) root.removeAttribute('style')
    else root.setAttribute('style', before[index])
  })
}`

/** Takes a picture of the page or of one element of it. */
export async function takeScreenshot(tab: Tab, options: ScreenshotOptions): Promise<Picture> {
  const { type = 'jpeg', background } = options
  const { area, scale } = await (options.selector === undefined ? areaOfPage(tab) : areaOfElement(tab, options.selector, options.engine))
  const clip = { ...clipArea(area, scale, type), scale: 1 }
  const quality = type === 'jpeg' ? { quality: Math.round(options.quality ?? 100) } : {}
  const capture = async (): Promise<Picture> => {
    const { data } = await tab.session.send('Page.captureScreenshot', { format: type, ...quality, clip, captureBeyondViewport: true })
    return describe(Buffer.from(data, 'base64'), type)
  }
  return background === undefined ? capture() : painted(tab, background, type, capture)
}

/** What an answer says of a picture. */
export function describePicture({ bytes, hash, type, width, height }: Picture): Screenshot {
  return { hash, type, width, height, bytes: bytes.length, url: `/v1/screenshot/${hash}` }
}

type Fault = Partial<Record<'wrong' | 'missing' | 'empty', boolean>>

interface Place {
  readonly area: Area
  readonly scale: number
}

async function areaOfPage(tab: Tab): Promise<Place> {
  const [{ cssContentSize }, scale] = await Promise.all([tab.session.send('Page.getLayoutMetrics'), tab.ask<number>(scaleSource)])
  return { area: cssContentSize, scale }
}

async function areaOfElement(tab: Tab, selector: string, engine: Engine | undefined): Promise<Place> {
  const place = await tab.ask<Place & Fault>(elementSource(await finderSource(engine)), { selector })
  const shown = selector.slice(0, 200)
  if (place.wrong) throw wrongSelector('/selector', selector)
  if (place.missing) throw new Problem('selector_not_found', `Nothing in the page matches the selector ${shown}.`)
  if (place.empty) throw new Problem('selector_not_found', `What the selector ${shown} matches first has no area: it is hidden or empty.`)
  return place
}

/** Captures with another background, and puts back what was there. A jpeg cannot be transparent, and stays white below. */
async function painted(tab: Tab, background: string, type: ImageType, capture: () => Promise<Picture>): Promise<Picture> {
  const seeThrough = background === 'transparent' && type !== 'jpeg'
  const before = await tab.ask<(string | null)[]>(paintSource, { background })
  if (seeThrough) await tab.session.send('Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } })
  try {
    return await capture()
  } finally {
    if (seeThrough) await tab.session.send('Emulation.setDefaultBackgroundColorOverride', {})
    await tab.ask(unpaintSource, { before })
  }
}

function describe(bytes: Buffer, type: ImageType): Picture {
  return { bytes, hash: createHash('sha256').update(bytes).digest('hex'), type, ...sizeOf(bytes, type) }
}
