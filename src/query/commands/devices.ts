import { devices as known } from '../../contract/krull/devices.ts'
import { exactly } from '../bounds.ts'
import { defineCommand } from '../command.ts'
import { rowsOfData } from '../dataRows.ts'

export const devices = defineCommand({
  name: 'devices',
  kind: 'generate',
  summary: 'Lists the devices that the browser can be: name, viewport.*, userAgent',
  args: {},
  flags: {},
  examples: ['devices', "devices || filter \"name contains 'landscape'\""],
  rows: () => exactly(known.length),
  run: () => rowsOfData(known.map(({ name, viewport, userAgent }) => ({ name, viewport, userAgent }))),
})
