import { declarationBytes, encodingOf, toUtf8 } from './charset.ts'
import { formatOfContent, formatOfMagic, formatOfMedia, formatOfName, headBytes, type ContentFormat } from './contentFormat.ts'
import { peek } from './peek.ts'

/** A format, and what told it, as messages say it. */
export interface Verdict {
  readonly format: ContentFormat
  readonly by: string
}

/** What is known of content, and may tell its format. */
export interface About {
  /** What it is, as messages call it. */
  readonly title: () => string
  /** What was decided beforehand, which wins. */
  readonly verdict?: Verdict | undefined
  /** As its sender gave it, or empty. */
  readonly contentType?: string
  /** The name of a file. */
  readonly name?: string
  /** Where the file is in an archive, which its rows then say. */
  readonly file?: string | undefined
}

/** Content whose format is to be told. */
export interface Content extends About {
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Content whose format has been told; texts are UTF-8 by now. */
export interface ToldContent extends Verdict {
  readonly bytes: AsyncIterable<Buffer>
  /** How what is packed in it is to be read, where that was said. */
  readonly inside?: Verdict | undefined
}

/** Tells how content is to be read: as was decided, else by its content type, its name, or itself. What is packed is unpacked first, whatever was said. */
export async function tellContent(content: Content): Promise<ToldContent> {
  const start = await peek(content.bytes, declarationBytes)
  const magic = formatOfMagic(start.head)
  const said = content.verdict ?? sayOf(content)
  const byMagic = magic && { format: magic, by: 'its first bytes', bytes: start.bytes }
  if (byMagic && isPacked(byMagic.format) && said?.format !== 'raw') return { ...byMagic, inside: said && !isPacked(said.format) ? said : undefined }
  if (said && !isText(said.format)) return { ...said, bytes: start.bytes }
  if (!said && byMagic) return byMagic
  const encoding = encodingOf(start.head, content.contentType ?? '', said === undefined || said.format === 'xml')
  const bytes = toUtf8(start.bytes, encoding)
  if (said) return { ...said, bytes }
  const more = await peek(bytes, headBytes)
  return { format: formatOfContent(more.head, more.isWhole), by: 'its content', bytes: more.bytes }
}

/** What says that content which is all there is plain JSON in UTF-8, as most answers are. */
export function tellPlainJson(bytes: Buffer, about: About): Verdict | undefined {
  const said = about.verdict ?? sayOf(about)
  const isPlain = said?.format === 'json' && formatOfMagic(bytes) === undefined && encodingOf(bytes, about.contentType ?? '', false) === 'utf-8'
  return isPlain ? said : undefined
}

function sayOf({ contentType = '', name = '' }: About): Verdict | undefined {
  // Row after row has the same.
  if (last.contentType !== contentType) last = { contentType, verdict: sayOfType(contentType) }
  if (last.verdict) return last.verdict
  const byName = formatOfName(name)
  return byName && { format: byName, by: `its name ${name}` }
}

let last: { readonly contentType: string; readonly verdict: Verdict | undefined } = { contentType: '', verdict: undefined }

function sayOfType(contentType: string): Verdict | undefined {
  const media = (contentType.split(';')[0] ?? '').trim().toLowerCase()
  const format = formatOfMedia(media)
  return format && { format, by: `its content type ${media}` }
}

/** Whether a format has others inside. */
export const isPacked = (format: ContentFormat): boolean => format === 'zip' || format === 'gzip'

const isText = (format: ContentFormat): boolean => !isPacked(format) && format !== 'parquet' && format !== 'raw'
