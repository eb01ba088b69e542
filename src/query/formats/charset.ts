import { TextDecoder } from 'node:util'

/** The encoding of a text by its byte-order mark, else by its content type, else by the declaration of XML; UTF-8 where none is known. */
export function encodingOf(head: Buffer, contentType: string, isXml: boolean): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  const given = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1]
  const declared = isXml ? /^<\?xml[^>]*?\sencoding\s*=\s*["']([^"']+)["']/.exec(head.toString('latin1', 0, 200))?.[1] : undefined
  return known(given) ?? known(declared) ?? 'utf-8'
}

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
