import { createGunzip } from 'node:zlib'
import { pipeline, Readable } from 'node:stream'
import { Problem } from '../../platform/errors.ts'
import { unreadable } from './unreadable.ts'

const maxDepth = 3
const maxBytes = 2 ** 30
/** How many times its packed size content may have; what is small may be anything. */
const maxRatio = 250
const freeBytes = 16 * 2 ** 20

/** Bounds what comes out of packed content, however it is nested: a few bytes can hold a world. */
export class Unpacking {
  readonly depth: number
  readonly #count: { bytes: number }

  private constructor(depth: number, count: { bytes: number }) {
    this.depth = depth
    this.#count = count
  }

  /** The bounds of one answer. */
  static begin(): Unpacking {
    return new Unpacking(0, { bytes: 0 })
  }

  /** The same bounds, for what is packed in packed content. */
  deeper(): Unpacking {
    if (this.depth >= maxDepth) throw unreadable(`it is packed more than ${maxDepth} times over`)
    return new Unpacking(this.depth + 1, this.#count)
  }

  /** Lets unpacked bytes through within the bounds; `packedBytes` tells how many they were made of so far. */
  async *bounded(unpacked: AsyncIterable<Buffer>, packedBytes: () => number): AsyncGenerator<Buffer> {
    let bytes = 0
    for await (const piece of unpacked) {
      bytes += piece.length
      this.#count.bytes += piece.length
      if (this.#count.bytes > maxBytes) throw tooLarge(`more than ${maxBytes.toLocaleString('en')} bytes`)
      if (bytes > freeBytes && bytes > maxRatio * packedBytes()) throw tooLarge(`more than ${maxRatio} times its packed size`)
      yield piece
    }
  }

  /** Unpacks GZIP as it comes. */
  gunzip(packed: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    let taken = 0
    const counted = async function* () {
      for await (const piece of packed) {
        taken += piece.length
        yield piece
      }
    }
    const unpacked = pipeline(Readable.from(counted(), { objectMode: false }), createGunzip(), () => undefined) // whoever reads it hears of a failure
    return this.bounded(explained(unpacked), () => taken)
  }
}

async function* explained(unpacked: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* unpacked
  } catch (error) {
    const isBroken = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
    throw isBroken ? unreadable(`this is not valid GZIP: ${error.message}`) : error
  }
}

const tooLarge = (size: string): Problem => new Problem('target_too_large', `The answer unpacks to ${size}, which is the most that is read; ask for less at a time.`)
