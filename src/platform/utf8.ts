import { isUtf8 } from 'node:buffer'

const mark = Buffer.from('\ufeff')

/** Lets through what is UTF-8: whole characters only, and without the byte-order mark at the beginning. */
export class Utf8Gate {
  readonly #refuse: (byte: number) => Error
  #rest: Buffer = Buffer.alloc(0)
  #passed = 0

  /** `refuse` makes the error for what is not UTF-8 from the number of the first wrong byte, counted from 1. */
  constructor(refuse: (byte: number) => Error) {
    this.#refuse = refuse
  }

  /** The whole characters of what came so far; the beginning of one that is cut waits for the next bytes. */
  take(bytes: Buffer): Buffer {
    const joined = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const whole = joined.subarray(0, joined.length - unfinishedBytes(joined))
    if (!isUtf8(whole)) throw this.#refuse(this.#passed + firstWrongByte(whole))
    this.#rest = Buffer.from(joined.subarray(whole.length))
    const atStart = this.#passed === 0
    this.#passed += whole.length
    return atStart && hasMark(whole) ? whole.subarray(mark.length) : whole
  }

  /** Refuses text that ends in the midst of a character. */
  end(): void {
    if (this.#rest.length > 0) throw this.#refuse(this.#passed + 1)
  }
}

/** The same for what is all there. */
export function wholeUtf8(bytes: Buffer, refuse: (byte: number) => Error): Buffer {
  if (isUtf8(bytes)) return hasMark(bytes) ? bytes.subarray(mark.length) : bytes
  throw refuse(firstWrongByte(bytes))
}

const hasMark = (bytes: Buffer): boolean => bytes[0] === mark[0] && bytes[1] === mark[1] && bytes[2] === mark[2]

/** How many bytes at the end begin a character that goes on behind them. */
export function unfinishedBytes(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? back : 0
  }
  return 0
}

/** Halves what is known to hold a wrong byte until only that one is left, and goes back to where its character begins. */
function firstWrongByte(bytes: Buffer): number {
  let [right, wrong] = [0, bytes.length]
  while (wrong - right > 1) {
    const middle = Math.floor((right + wrong) / 2)
    const head = bytes.subarray(0, middle)
    if (isUtf8(head.subarray(0, middle - unfinishedBytes(head)))) right = middle
    else wrong = middle
  }
  return right - unfinishedBytes(bytes.subarray(0, right)) + 1
}
