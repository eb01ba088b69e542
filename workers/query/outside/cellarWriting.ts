import { Problem } from '../../../src/platform/errors.ts'
import { ColumnTypes } from '../../../src/query/formats/columnTypes.ts'
import { jsonText, ndjsonText, piecesOf, type RowText } from '../../../src/query/formats/rowText.ts'
import type { FileFormat, FileWriting } from '../../../src/query/outside.ts'
import type { Batch } from '../../../src/query/rows.ts'
import type { House } from '../../../src/services/house.ts'
import { discardContent, type Statements } from '../../../src/services/sirp/cellar/contents.ts'
import { ContentWriter, type StoredContent } from '../../../src/services/sirp/cellar/contentWriter.ts'
import { findFile, isHeld, type StoredFile } from './cellarFile.ts'
import { composedBytes } from './composeFile.ts'

/** Rows that wait to be put into their form may take more room than the file, since they repeat the names of their columns. */
const waitingFactor = 8

/** What a file is written with. */
export interface WritingOptions {
  readonly format: FileFormat
  readonly append: boolean
}

/**
 * A file that a stage writes. Formats that can be written row by row are; the others, and what is appended, wait as newline-delimited JSON
 * until all rows are there: the header of CSV and the types of Parquet need them all.
 */
export class CellarWriting implements FileWriting {
  readonly name: string
  readonly format: FileFormat
  readonly #append: boolean
  readonly #house: House
  readonly #onEnd: (writing: CellarWriting) => void
  readonly #waits: boolean
  readonly #text: RowText
  readonly #writer: ContentWriter
  readonly #columns = new ColumnTypes()
  #begun = false
  #added: StoredContent | undefined
  #ready: { readonly content: StoredContent; readonly behind: string | undefined } | undefined

  constructor(house: House, name: string, { format, append }: WritingOptions, onEnd: (writing: CellarWriting) => void) {
    this.name = name
    this.format = format
    this.#append = append
    this.#house = house
    this.#onEnd = onEnd
    this.#waits = append || format === 'csv' || format === 'parquet'
    this.#text = format === 'json' && !this.#waits ? jsonText() : ndjsonText()
    this.#writer = new ContentWriter(house.pool, house.env.cellarMaxBytes * (this.#waits ? waitingFactor : 1))
  }

  /** The rows that an append had to wait with, or undefined. */
  get waiting(): StoredContent | undefined {
    return this.#append ? this.#added : undefined
  }

  async add(batch: Batch): Promise<void> {
    if (this.format === 'csv' || this.format === 'parquet') this.#columns.add(batch)
    await this.#bounded(async () => {
      await this.#begin()
      for (const piece of piecesOf(batch, this.#text)) await this.#writer.write(piece)
    })
  }

  async end(): Promise<void> {
    await this.#bounded(async () => {
      await this.#begin()
      await this.#writer.write(Buffer.from(this.#text.end))
    })
    const { pool } = this.#house
    const added = await this.#writer.finish()
    this.#added = added
    const old = this.#append ? await findFile(pool, this.name) : undefined
    this.#ready = { content: this.#waits ? await this.#compose(pool, old, added) : added, behind: old?.contentId }
    if (this.#waits && !this.#append) await discardContent(pool, added.id)
    this.#onEnd(this)
  }

  /** The content for the file that is there now, which is locked; made anew where somebody else has changed the file since. */
  async contentFor(statements: Statements, there: StoredFile | undefined): Promise<StoredContent> {
    if (!this.#ready || !this.#added) throw new Error(`the writing of ${this.name} has not ended`)
    const fits = !this.#append || this.#ready.behind === there?.contentId
    return fits ? this.#ready.content : this.#compose(statements, there, this.#added)
  }

  /** Whether this content was made before the transaction, and is not the one that the file got. */
  leftOver(kept: StoredContent): StoredContent | undefined {
    return this.#ready?.content.id === kept.id ? undefined : this.#ready?.content
  }

  /** Removes whatever was stored, unless a file holds it after all. */
  async discard(): Promise<void> {
    const { pool } = this.#house
    const id = this.#ready?.content.id
    if (id !== undefined && (await isHeld(pool, id))) return
    await this.#writer.discard()
    if (id !== undefined) await discardContent(pool, id)
  }

  async #begin(): Promise<void> {
    if (this.#begun) return
    this.#begun = true
    await this.#writer.write(Buffer.from(this.#text.start))
  }

  async #compose(statements: Statements, old: StoredFile | undefined, added: StoredContent): Promise<StoredContent> {
    const writer = new ContentWriter(statements, this.#house.env.cellarMaxBytes)
    try {
      const bytes = composedBytes(statements, { name: this.name, format: this.format, old, added, columns: this.#columns })
      return await this.#bounded(async () => {
        for await (const piece of bytes) await writer.write(piece)
        return writer.finish()
      })
    } catch (error) {
      await writer.discard().catch((err: unknown) => this.#house.log.debug({ err }, 'a content that no file holds is left to the reaper'))
      throw error
    }
  }

  /** Says which file is too large. */
  async #bounded<Result>(write: () => Promise<Result>): Promise<Result> {
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'body_too_large') throw error
      const most = this.#house.env.cellarMaxBytes.toLocaleString('en')
      const file = `The cellar file ${JSON.stringify(this.name)}`
      const detail = `${file} would have more than the ${most} bytes that CELLAR_MAX_BYTES allows; freeze fewer rows or columns, or raise it.`
      throw new Problem('unprocessable', detail, { cause: error })
    }
  }
}
