import { deviceTable, type DeviceRow } from './deviceTable.ts'
import type { Device } from './system.ts'

/** The device that a page sees unless another one is asked for. */
export const usualDevice = 'Pixel 5'

const desktop: Device = {
  name: 'Desktop',
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  viewport: { width: 1280, height: 800, deviceScaleFactor: 1, isMobile: false, hasTouch: false, isLandscape: true },
}

/** Every device that can be emulated; most phones and tablets stand here twice, the second time with ` landscape` behind the name. */
export const devices: readonly Device[] = [desktop, ...deviceTable.flatMap(sidesOf)]

const byName = new Map(devices.map((device) => [device.name, device]))

/** A device by its name. */
export const deviceNamed = (name: string): Device | undefined => byName.get(name)

function sidesOf({ name, size: [width, height, deviceScaleFactor], landscape = [height, width], userAgent }: DeviceRow): Device[] {
  const touch = { deviceScaleFactor, isMobile: true, hasTouch: true }
  const upright = { name, userAgent, viewport: { width, height, ...touch, isLandscape: false } }
  if (landscape === null) return [upright]
  const [wide, low] = landscape
  return [upright, { name: `${name} landscape`, userAgent, viewport: { width: wide, height: low, ...touch, isLandscape: true } }]
}
