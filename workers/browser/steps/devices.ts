import { KnownDevices } from 'puppeteer'
import type { Device } from '../../../src/contract/krull/system.ts'
import { invalidField } from '../../../src/platform/errors.ts'

/** The device that a page sees unless another one is asked for. */
export const usualDevice = 'Pixel 5'

const desktop: Device = {
  name: 'Desktop',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  viewport: { width: 1280, height: 800, deviceScaleFactor: 1, isMobile: false, hasTouch: false, isLandscape: true },
}

const plainViewport = { deviceScaleFactor: 1, isMobile: false, hasTouch: false, isLandscape: false }

/** Every device that can be emulated; most phones and tablets stand here twice, the second time with ` landscape` behind the name. */
export const devices: readonly Device[] = [
  desktop,
  ...Object.entries(KnownDevices).map(([name, { userAgent, viewport }]) => ({
    name,
    userAgent,
    viewport: { ...plainViewport, ...viewport },
  })),
]

const byName = new Map(devices.map((device) => [device.name, device]))

/** A device by its name; an unknown name is a wrong field of the request. */
export function deviceOf(name: string = usualDevice): Device {
  const device = byName.get(name)
  if (!device) throw invalidField('/device', 'must be Desktop or a name from the list of devices')
  return device
}
