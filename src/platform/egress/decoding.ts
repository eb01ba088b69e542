import { pipeline, type Duplex } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { Problem } from '../errors.ts'
import { tooLarge } from './body.ts'

/** What bounds a decoded body, and whose it is. */
export interface DecodingBounds {
  readonly maxBytes: number
  readonly who: string
}

const mostCodings = 3

/** The content encodings of an answer, in the order in which they are to be undone. */
export function codingsOf(header: string | undefined): readonly string[] {
  if (header === undefined || header === '') return []
  return header.toLowerCase().split(',').map((coding) => coding.trim()).filter((coding) => coding !== '' && coding !== 'identity').toReversed()
}

/** Undoes content encodings piece by piece; every layer counts against the bound, so that no bomb unfolds. */
export function decode(source: AsyncIterable<Uint8Array>, codings: readonly string[], bounds: DecodingBounds): AsyncIterable<Uint8Array> {
  if (codings.length > mostCodings) throw unreadable(`${bounds.who} encoded its answer more than ${mostCodings} times.`)
  return codings.reduce((inner, coding) => decodeLayer(inner, coding, bounds), source)
}

async function* decodeLayer(source: AsyncIterable<Uint8Array>, coding: string, { maxBytes, who }: DecodingBounds): AsyncGenerator<Uint8Array> {
  const feed = new Feed(source)
  const first = await feed.first()
  if (first === undefined) return
  const decoder = decoderFor(coding, first, who)
  pipeline(feed.parts(), decoder, () => undefined)
  let total = 0
  try {
    for await (const part of decoder as AsyncIterable<Buffer>) { // zlib streams carry buffers
      total += part.length
      if (total > maxBytes) throw tooLarge(who, maxBytes)
      yield part
    }
  } catch (error) {
    if (feed.failure) throw feed.failure.reason
    throw error instanceof Problem ? error : unreadable(`The ${coding} encoding of the answer of ${who} is broken.`, error)
  } finally {
    decoder.destroy()
  }
}

/** A source whose first piece can be looked at, and whose own failure is told apart from the decoder's. */
class Feed {
  failure: { readonly reason: unknown } | null = null
  readonly #iterator: AsyncIterator<Uint8Array>
  #first: Uint8Array | undefined

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#iterator = source[Symbol.asyncIterator]()
  }

  async first(): Promise<Uint8Array | undefined> {
    do {
      const { value, done } = await this.#iterator.next()
      this.#first = done ? undefined : value
    } while (this.#first?.length === 0)
    return this.#first
  }

  async *parts(): AsyncGenerator<Uint8Array> {
    if (this.#first) yield this.#first
    try {
      for (;;) {
        const { value, done } = await this.#iterator.next()
        if (done) return
        yield value
      }
    } catch (reason) {
      this.failure = { reason }
      throw reason
    }
  }
}

function decoderFor(coding: string, first: Uint8Array, who: string): Duplex {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip()
  if (coding === 'br') return createBrotliDecompress()
  // Some servers send the bare deflate format; the right one begins with a header whose low bits are 8.
  if (coding === 'deflate') return ((first[0] ?? 0) & 15) === 8 ? createInflate() : createInflateRaw()
  throw unreadable(`${who} encoded its answer as ${JSON.stringify(coding.slice(0, 40))}. Only gzip, deflate and br can be read.`)
}

const unreadable = (detail: string, cause?: unknown): Problem => new Problem('target_unreadable', detail, { cause })
