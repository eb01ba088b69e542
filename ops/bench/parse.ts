import { fromChild } from './fromChild.ts'
import type { Bench, Measured } from './measure.ts'
import { parseTexts } from './parseTexts.ts'
import { nodeFlags } from './stage.ts'

const mostMs = 100

/** Parses texts of 1 MiB, each in a process of its own that has the flags of the API, where queries are parsed. */
export const benchParse: Bench = async () => {
  const flags = (await nodeFlags())('api')
  const measured: Measured[] = []
  for (const kind of Object.keys(parseTexts)) {
    const value = await fromChild<number>('parseChild', [kind], flags)
    measured.push({ what: `parse 1 MiB: ${kind}`, value, beside: 'the bound', raw: mostMs, unit: 'ms', ratio: value / mostMs, reach: '≤ 1', reached: value <= mostMs })
  }
  return measured
}
