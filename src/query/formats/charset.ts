import { TextDecoder } from 'node:util'

/** A page must declare its encoding within so many bytes, and XML does so at its very beginning. */
export const declarationBytes = 1_024
const xmlDeclaration = /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/
const pageDeclaration = /<meta\s[^<>]*?charset\s*=\s*["']?\s*([^\s"'<>;/]+)/i

/** The encoding of a text by its byte-order mark, else by its content type, else by the declaration of XML or of a page; UTF-8 where none is known. */
export function encodingOf(head: Buffer, contentType: string, isXml: boolean): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8'
  const given = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]
  const pattern = isXml ? xmlDeclaration : /^\s*text\/html\b/i.test(contentType) ? pageDeclaration : undefined
  const declared = pattern?.exec(head.toString('latin1', 0, declarationBytes))?.[1]
  return known(given) ?? readable(known(declared)) ?? 'utf-8'
}

/** A declaration that is read byte by byte is not in UTF-16, whatever it says: texts are often encoded anew without their declaration. */
const readable = (declared: string | undefined): string | undefined => (declared?.startsWith('utf-16') ? undefined : declared)

/** Text of any encoding as UTF-8. */
export function toUtf8(bytes: AsyncIterable<Buffer>, encoding: string): AsyncIterable<Buffer> {
  return encoding === 'utf-8' ? bytes : recode(bytes, new TextDecoder(encoding))
}

async function* recode(bytes: AsyncIterable<Buffer>, decoder: TextDecoder): AsyncGenerator<Buffer> {
  for await (const piece of bytes) yield Buffer.from(decoder.decode(piece, { stream: true }))
  yield Buffer.from(decoder.decode())
}

/** The name under which an encoding is known here, if it is. */
function known(label: string | undefined): string | undefined {
  if (label === undefined || label.toLowerCase() === 'utf-8') return label?.toLowerCase() // the usual one needs no decoder to be known
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}
