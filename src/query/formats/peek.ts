import { Problem } from '../../platform/errors.ts'

/** Bytes whose beginning has been looked at; `bytes` still gives all of them. */
export interface Peeked {
  /** At least as many bytes as were asked for, unless there are fewer. */
  readonly head: Buffer
  /** Whether the head is all of it. */
  readonly isWhole: boolean
  readonly bytes: AsyncIterable<Buffer>
}

/** Most bytes that are held in memory at once where a format cannot be read as it comes. */
export const maxHeldBytes = 128 * 2 ** 20

/** Looks at the first bytes of a source without taking them away. */
export async function peek(source: AsyncIterable<Uint8Array>, size: number): Promise<Peeked> {
  const iterator = source[Symbol.asyncIterator]()
  const pieces: Buffer[] = []
  let length = 0
  let isWhole = false
  while (length < size && !isWhole) {
    const next = await iterator.next()
    if (next.done) isWhole = true
    else {
      pieces.push(asBuffer(next.value))
      length += next.value.length
    }
  }
  return { head: Buffer.concat(pieces), isWhole, bytes: replay(pieces, iterator) }
}

async function* replay(pieces: readonly Buffer[], iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer> {
  try {
    yield* pieces
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield asBuffer(next.value)
  } finally {
    await iterator.return?.()
  }
}

/** All pieces of a source, within a bound. */
export async function hold(source: AsyncIterable<Buffer>, most = maxHeldBytes): Promise<Buffer[]> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of source) {
    length += piece.length
    if (length > most) throw tooLarge(most)
    pieces.push(piece)
  }
  return pieces
}

const tooLarge = (most: number): Problem =>
  new Problem('target_too_large', `The answer has more than ${most.toLocaleString('en')} bytes, the most that can be read in this format; ask for less at a time.`)

/** Pieces as a source that can be read again. */
export async function* piecesOf(pieces: Iterable<Buffer>): AsyncGenerator<Buffer> {
  yield* pieces
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
