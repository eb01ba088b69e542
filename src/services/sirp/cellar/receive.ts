import type { IncomingMessage } from 'node:http'
import { tooManyBytes, type ArrivalBounds } from '../../../platform/arrival.ts'
import type { Env } from '../../../platform/env.ts'
import { invalid, invalidField } from '../../../platform/errors.ts'
import { readParts } from '../../../platform/multipart.ts'
import { readPieces } from '../../../platform/pieces.ts'
import { pointerTo } from '../../../platform/pointer.ts'
import type { ContentWriter } from './contentWriter.ts'
import { validName } from './fileName.ts'
import { JsonUpload } from './jsonUpload.ts'

/** What an upload says of its file beside the content. */
export interface Received {
  readonly name: string
  /** The content type of the part, where it came as a part. */
  readonly contentType?: string
}

/** Hears of the name as soon as it has come, and throws where it will not do. */
export type CheckName = (name: string) => Promise<void>

/** Reads an upload in either form into the writer. */
export async function receive(request: IncomingMessage, env: Env, writer: ContentWriter, checkName: CheckName): Promise<Received> {
  const isForm = request.headers['content-type']?.trimStart().toLowerCase().startsWith('multipart/') ?? false
  const bounds = boundsOf(env, isForm)
  if (Number(request.headers['content-length'] ?? 0) > bounds.maxBytes) throw tooManyBytes(env.cellarMaxBytes, 'file')
  return isForm ? receiveForm(request, { ...bounds, maxBytes: env.cellarMaxBytes }, writer, checkName) : receiveJson(request, bounds, writer, checkName)
}

const gibibyte = 2 ** 30
const msPerGibibyte = 600_000
/** Room for names, headers, boundaries and white space. */
const envelopeBytes = 2 * 2 ** 20
/** Bytes that one byte of text may take in JSON, as \u0000 does. */
const longestEscape = 6

/** An upload may take as long as its size is worth, and be silent no longer than any other body. */
function boundsOf({ cellarMaxBytes, bodyTimeoutMs }: Env, isForm: boolean): ArrivalBounds {
  return {
    maxBytes: cellarMaxBytes * (isForm ? 1 : longestEscape) + envelopeBytes,
    idleMs: bodyTimeoutMs,
    deadlineMs: Math.max(bodyTimeoutMs, Math.ceil((msPerGibibyte * cellarMaxBytes) / gibibyte)),
  }
}

async function receiveJson(request: IncomingMessage, bounds: ArrivalBounds, writer: ContentWriter, checkName: CheckName): Promise<Received> {
  const upload = new JsonUpload()
  let checked = false
  await readPieces(request, bounds, async (piece) => {
    const content = upload.take(piece)
    if (!checked && upload.name !== undefined) {
      checked = true
      await checkName(validName('/name/value', upload.name))
    }
    await writer.write(content)
  })
  return { name: upload.end() }
}

async function receiveForm(request: IncomingMessage, bounds: ArrivalBounds, writer: ContentWriter, checkName: CheckName): Promise<Received> {
  let type: string | undefined
  const fields = await readParts(request, bounds, async ({ contentType, stream }) => {
    type = contentType
    for await (const piece of stream) await writer.write(piece as Buffer) // no encoding is set, so it yields buffers
  })
  const unknown = [...fields.keys()].filter((field) => field !== 'name')
  if (unknown.length > 0) throw invalid(unknown.map((field) => ({ path: pointerTo('', field), message: 'is not a known field' })))
  const name = fields.get('name')
  if (name === undefined) throw invalidField('/name', 'is required')
  await checkName(validName('/name', name))
  if (type === undefined) throw invalidField('/content', 'is required: send the content as a file part, with a filename')
  return { name, contentType: type }
}
