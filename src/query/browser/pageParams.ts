import { deviceNamed, devices } from '../../contract/krull/devices.ts'
import type { Param } from '../params.ts'
import { fault, quoted } from '../text/fault.ts'
import { nearest } from '../text/nearest.ts'

/** The name of a device. */
export function device(doc: string): Param<string> {
  return {
    type: 'device',
    doc,
    constant: true,
    read: ({ text, start, end }) => {
      if (deviceNamed(text)) return { value: text, shown: text, faults: [] }
      const hint = nearest(text, devices.map(({ name }) => name))
      const wrong = fault(start, end, `must be Desktop or the name of a device, which ${quoted(text)} is not`, { expected: 'Desktop, or a name that the command devices lists', ...(hint ? { hint } : {}) })
      return { value: text, shown: text, faults: [wrong] }
    },
    words: devices.map(({ name }) => name),
  }
}

const expected = 'raf, mutation, or a whole number of milliseconds from 1 to 2147483647'

/** How often something awaited is looked for: a word, or milliseconds. */
export function polling(doc: string): Param<string> {
  return {
    type: 'polling',
    doc,
    constant: true,
    read: ({ text, start, end }) => {
      const isRight = text === 'raf' || text === 'mutation' || (/^[1-9]\d{0,9}$/.test(text) && Number(text) <= 2_147_483_647)
      return { value: text, shown: text, faults: isRight ? [] : [fault(start, end, `must be ${expected}`, { expected })] }
    },
    words: ['raf', 'mutation'],
  }
}
