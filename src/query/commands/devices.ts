import { defineCommand } from '../command.ts'

export const devices = defineCommand({
  name: 'devices',
  kind: 'generate',
  summary: 'Lists the devices that the browser can be: name, viewport.*, userAgent',
  args: {},
  flags: {},
  examples: ['devices', "devices || filter \"name contains 'landscape'\""],
})
