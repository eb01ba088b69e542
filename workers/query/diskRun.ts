import { close, read, writev } from 'node:fs'
import { promisify } from 'node:util'
import { Problem } from '../../src/platform/errors.ts'
import type { SpilledRun } from '../../src/query/scratch.ts'

const [writeAt, readAt, closeFile] = [promisify(writev), promisify(read), promisify(close)]

/** Bytes that are written or read at once. */
const blockBytes = 256 * 1024
/** Characters of the JSON of items that are kept together. */
const frameChars = 2 ** 20

/** Counts the bytes of all runs together. */
export class DiskAccount {
  readonly #limit: number
  #bytes = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes
  }

  take(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes <= this.#limit) return
    const limit = this.#limit.toLocaleString('en')
    const remedy = 'keep fewer rows or columns in front of sort, dedupe, groupBy, stats or join, with filter, limit or table'
    throw new Problem('unprocessable', `The rows that this query must hold at once take more than ${limit} bytes on disk: ${remedy}.`)
  }
}

/** What a disk that refuses to be used means for a query. */
export function diskFailure(error: unknown): unknown {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error
  const remedy = 'make room for it in the folder scratch of DATA_DIR, or raise STAGE_MEMORY, and run the query again'
  return new Problem('unavailable', `The worker cannot keep on its disk the rows that this query must hold at once (${String(error.code)}): ${remedy}.`, { cause: error })
}

/** Items in one file, as JSON; where each piece of it ends is remembered here. */
export class DiskRun<Item> implements SpilledRun<Item> {
  readonly #file: number
  readonly #account: DiskAccount
  readonly #frames: number[] = []
  readonly #using = new Set<Promise<unknown>>()
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #bytes = 0
  #dropped = false

  constructor(file: number, account: DiskAccount) {
    this.#file = file
    this.#account = account
  }

  async write(items: readonly Item[]): Promise<void> {
    let text = ''
    for (const item of items) {
      text += `${text === '' ? '[' : ','}${JSON.stringify(item)}`
      if (text.length < frameChars) continue
      await this.#put(text)
      text = ''
    }
    if (text !== '') await this.#put(text)
  }

  async #put(text: string): Promise<void> {
    const frame = Buffer.from(`${text}]`)
    this.#account.take(frame.length)
    this.#frames.push(frame.length)
    this.#waiting.push(frame)
    this.#waitingBytes += frame.length
    if (this.#waitingBytes >= blockBytes) await this.#flush()
  }

  async #flush(): Promise<void> {
    let rest = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    while (rest.length > 0) {
      const { bytesWritten } = await this.#use((file) => writeAt(file, rest, this.#bytes))
      this.#bytes += bytesWritten
      rest = unwritten(rest, bytesWritten)
    }
  }

  end(): Promise<void> {
    return this.#flush()
  }

  async *read(): AsyncGenerator<Item[]> {
    let start = 0
    for (let first = 0; first < this.#frames.length; ) {
      const lengths = this.#block(first)
      const block = await this.#load(start, lengths.reduce((sum, length) => sum + length, 0))
      let at = 0
      for (const length of lengths) {
        yield JSON.parse(block.toString('utf8', at, at + length)) as Item[] // as it was written
        at += length
      }
      first += lengths.length
      start += at
    }
  }

  /** The frames from one on that are read at once. */
  #block(first: number): number[] {
    const lengths: number[] = []
    let bytes = 0
    for (let at = first; at < this.#frames.length && (bytes === 0 || bytes + (this.#frames[at] ?? 0) <= blockBytes); at += 1) {
      lengths.push(this.#frames[at] ?? 0)
      bytes += this.#frames[at] ?? 0
    }
    return lengths
  }

  async #load(start: number, length: number): Promise<Buffer> {
    const block = Buffer.allocUnsafe(length)
    for (let at = 0; at < length; ) {
      const { bytesRead } = await this.#use((file) => readAt(file, block, at, length - at, start + at))
      if (bytesRead === 0) throw new Error('the rows on disk end too early')
      at += bytesRead
    }
    return block
  }

  async drop(): Promise<void> {
    if (this.#dropped) return
    this.#dropped = true
    this.#account.giveBack(this.#frames.reduce((sum, length) => sum + length, 0))
    // A number of a file that is closed in the midst of a read may by then be that of another.
    await Promise.allSettled(this.#using)
    await closeFile(this.#file)
  }

  async #use<Result>(run: (file: number) => Promise<Result>): Promise<Result> {
    if (this.#dropped) throw new Error('the rows on disk were dropped while they were in use')
    const using = run(this.#file)
    this.#using.add(using)
    try {
      return await using
    } catch (error) {
      throw diskFailure(error)
    } finally {
      this.#using.delete(using)
    }
  }
}

/** What is left when some bytes have been written. */
function unwritten(buffers: readonly Buffer[], written: number): Buffer[] {
  let left = written
  return buffers.flatMap((buffer) => {
    const gone = Math.min(left, buffer.length)
    left -= gone
    return gone === buffer.length ? [] : [buffer.subarray(gone)]
  })
}
