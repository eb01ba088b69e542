import { Problem } from '../../platform/errors.ts'

const inherited = Object.getOwnPropertyNames(Object.prototype)
const hostile = new RegExp(`__proto__|\\s(?:id|name|href)\\s*=\\s*["']#?(?:${inherited.join('|')})["']`)

/** Refuses XML with names that plain objects inherit: the parser of SOAP keeps what it reads under such names in plain objects. */
export function checkNames(text: string): void {
  if (!hostile.test(decoded(text))) return
  throw new Problem('target_unreadable', 'The XML uses a name that JavaScript keeps for itself, such as __proto__, and is not read for that.')
}

function decoded(text: string): string {
  if (!text.includes('&#')) return text
  return text.replace(/&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi, (whole, hex?: string, decimal?: string) => {
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
