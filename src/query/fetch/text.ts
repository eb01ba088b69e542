import { Problem } from '../../platform/errors.ts'
import { encodingOf } from '../formats/charset.ts'
import { Unpacking } from '../formats/unpacking.ts'
import type { Incoming } from '../outside.ts'
import { placeOf } from './answer.ts'

/** The whole text of an answer in its own encoding; also of one that is packed by GZIP as a file. */
export async function textOf(incoming: Incoming): Promise<string> {
  const bytes = await unpacked(await incoming.bytes())
  const isXml = bytes.subarray(0, 5).toString('latin1') === '<?xml'
  return new TextDecoder(encodingOf(bytes, incoming.headers['content-type'] ?? '', isXml)).decode(bytes)
}

async function unpacked(bytes: Buffer): Promise<Buffer> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  const pieces: Buffer[] = []
  for await (const piece of Unpacking.begin().gunzip(one(bytes))) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function* one(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

/** The JSON value of an answer; an answer that is none is a problem. */
export async function jsonOf(incoming: Incoming): Promise<unknown> {
  try {
    return JSON.parse(await textOf(incoming))
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new Problem(
      'target_unreadable',
      `The answer of ${placeOf(incoming.url)} (status ${incoming.status}) is not valid JSON; see that this is the right address.`,
    )
  }
}

/** Names the answer in a problem of reading it. */
export function unreadableAnswer(incoming: Incoming, error: unknown): unknown {
  if (!(error instanceof Problem) || error.code !== 'unreadable_file') return error
  return new Problem('target_unreadable', `The answer of ${placeOf(incoming.url)} cannot be read. ${error.message}`)
}
