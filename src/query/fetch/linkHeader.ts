const parameter = /\s*;\s*([^\s=;,"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g
const link = new RegExp(`<([^<>]*)>((?:${parameter.source})*)`, 'g')

/** Whether a text is the value of a Link header (RFC 8288): no address begins as it does. */
export const isLinkHeader = (text: string): boolean => text.startsWith('<')

/** The address that a Link header names as the next one; empty where it names none. */
export function nextLink(header: string): string {
  for (const [, target = '', parameters = ''] of header.matchAll(link)) if (isNext(parameters)) return target.trim()
  return ''
}

/** Of several relations in one link only the first list counts. */
function isNext(parameters: string): boolean {
  for (const [, name = '', quoted, bare = ''] of parameters.matchAll(parameter)) {
    if (name.toLowerCase() === 'rel') return (quoted ?? bare).toLowerCase().split(/\s+/).includes('next')
  }
  return false
}
