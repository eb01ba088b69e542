import { deviceNamed, usualDevice } from '../../../src/contract/krull/devices.ts'
import type { Device } from '../../../src/contract/krull/system.ts'
import { invalidField } from '../../../src/platform/errors.ts'

/** A device by its name; an unknown name is a wrong field of the request. */
export function deviceOf(name: string = usualDevice): Device {
  const device = deviceNamed(name)
  if (!device) throw invalidField('/device', 'must be Desktop or a name from the list of devices')
  return device
}
