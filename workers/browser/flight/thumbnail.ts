import { race } from '../race.ts'
import { sizeOf } from '../steps/imageSize.ts'
import type { Tab } from '../steps/tab.ts'
import { flightBounds } from './bounds.ts'

/** How much smaller a picture is taken again that has too many bytes. */
const smaller = 3

/** A small picture of what a page shows now, in PNG; null where none can be taken before the signal is aborted. */
export async function takeThumbnail(tab: Tab, signal: AbortSignal): Promise<Buffer | null> {
  if (tab.visit.page.url() === 'about:blank') return null
  try {
    const asked = Promise.all([tab.session.send('Page.getLayoutMetrics'), tab.askOnce<number>('() => devicePixelRatio')])
    const [{ cssVisualViewport: view }, scale] = await race(signal, asked)
    const area = { x: view.pageX, y: view.pageY, width: view.clientWidth, height: view.clientHeight }
    const fitting = Math.min(1, flightBounds.thumbnailSide / (Math.max(area.width, area.height) * scale))
    const capture = async (factor: number): Promise<Buffer> => {
      const { data } = await race(signal, tab.session.send('Page.captureScreenshot', { format: 'png', clip: { ...area, scale: factor } }))
      return Buffer.from(data, 'base64')
    }
    const picture = await capture(fitting)
    return isSmall(picture) ? picture : await capture(fitting / smaller)
  } catch {
    return null // a page that hangs or is gone shows nothing
  }
}

const isSmall = (picture: Buffer): boolean =>
  picture.length <= flightBounds.thumbnailBytes && sizeOf(picture, 'png').width <= flightBounds.thumbnailSide
