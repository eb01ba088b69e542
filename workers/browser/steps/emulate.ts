import type { Device } from '../../../src/contract/krull/system.ts'
import { invalidField } from '../../../src/platform/errors.ts'
import { deviceOf } from './devices.ts'
import type { Tab } from './tab.ts'

/** What a page sees of its visitor. */
export interface Appearance {
  readonly device?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly viewportWidth?: number
  readonly viewportHeight?: number
}

/** Headers that belong to the connection, which the browser makes by itself. */
const ownHeaders = /^(host|connection|content-length|transfer-encoding|te|trailer|upgrade|keep-alive|proxy-.*)$/i

/** Makes the page see a device and send headers. */
export async function emulate(tab: Tab, appearance: Appearance): Promise<void> {
  const { page } = tab.visit
  const device = deviceOf(appearance.device)
  const { userAgent = device.userAgent, others } = splitHeaders(appearance.headers ?? {})
  await Promise.all([
    page.setUserAgent({ userAgent }),
    setViewport(tab, device.viewport, appearance),
    ...(Object.keys(others).length > 0 ? [page.setExtraHTTPHeaders(others)] : []),
  ])
}

const lying = { type: 'landscapePrimary', angle: 90 } as const
const upright = { type: 'portraitPrimary', angle: 0 } as const

/** A view of a size that was asked for has exactly this size: no scale of the device, and no wider layout as phones have for old pages. */
async function setViewport({ session }: Tab, viewport: Device['viewport'], { viewportWidth, viewportHeight }: Appearance): Promise<void> {
  const asked = viewportWidth !== undefined || viewportHeight !== undefined
  const mobile = viewport.isMobile && !asked
  await Promise.all([
    session.send('Emulation.setDeviceMetricsOverride', {
      width: side(viewportWidth ?? viewport.width),
      height: side(viewportHeight ?? viewport.height),
      deviceScaleFactor: asked ? 1 : viewport.deviceScaleFactor,
      mobile,
      ...(mobile ? { screenOrientation: viewport.isLandscape ? lying : upright } : {}),
    }),
    ...(viewport.hasTouch ? [session.send('Emulation.setTouchEmulationEnabled', { enabled: true })] : []),
  ])
}

const side = (length: number): number => Math.max(1, Math.round(length))

/** The user agent is more than a header: scripts see it too. */
function splitHeaders(headers: Readonly<Record<string, string>>): { readonly userAgent?: string; readonly others: Record<string, string> } {
  const entries = Object.entries(headers)
  const wrong = entries.find(([name]) => ownHeaders.test(name))
  if (wrong) throw invalidField(`/headers/${wrong[0]}`, 'cannot be set: the browser sets it by itself')
  const agent = entries.find(([name]) => name.toLowerCase() === 'user-agent')
  return { ...(agent ? { userAgent: agent[1] } : {}), others: Object.fromEntries(entries.filter((entry) => entry !== agent)) }
}
