import type { Batch } from '../../src/query/rows.ts'
import { newId } from '../../src/platform/ids.ts'
import type { House } from '../../src/services/house.ts'
import { beginPass, writeChunks, type Chunk, type Owner, type StageWrite } from '../../src/services/sirp/engine/passes.ts'
import { ChunkBuilder } from './chunkBuilder.ts'

/** How long a pass may run before its stages are shown as running; quicker ones are stored with their end. */
const showAfterMs = 100
/** Encoded rows that a pass holds before it stores them. */
const heldBytes = 4 * 2 ** 20
const heldChunks = 16

/** A stage of a pass as the plan knows it. */
export type PlannedStage = Pick<StageWrite, 'stage' | 'label' | 'command' | 'kind' | 'args' | 'flags' | 'cacheKey'>

interface Writing {
  readonly planned: PlannedStage
  readonly rowSet: string | null
  readonly builder: ChunkBuilder | null
  rows: number
  bytes: number
  endedAt: number
  /** Whether all its rows were made; a stage whose reader had enough is cut short. */
  whole: boolean
}

/** Stores the rows of the stages of one pass while they stream by. */
export class PassWriter {
  readonly #house: House
  readonly #owner: Owner
  readonly #stages: ReadonlyMap<number, Writing>
  readonly #warnings = new Map<number, string[]>()
  readonly #startedAt = performance.now()
  readonly #timer: NodeJS.Timeout
  #held: Chunk[] = []
  #heldBytes = 0
  #begun = false
  #writes: Promise<void> = Promise.resolve()
  /** The stage in which the pass failed. */
  failedStage: number | undefined

  /** `keeps` tells which stages' rows are stored. */
  constructor(house: House, owner: Owner, stages: readonly PlannedStage[], keeps: (stage: number) => boolean) {
    this.#house = house
    this.#owner = owner
    this.#stages = new Map(stages.map((planned) => [planned.stage, writingOf(planned, keeps(planned.stage))]))
    this.#timer = setTimeout(() => void this.#write(() => this.#begin()), showAfterMs)
  }

  /** Sees the rows of a stage on their way to the next. */
  readonly tap = async function* (this: PassWriter, stage: number, rows: AsyncIterable<Batch>): AsyncGenerator<Batch> {
    const writing = this.#stages.get(stage)
    try {
      for await (const batch of rows) {
        if (writing) await this.#take(writing, batch)
        yield batch
      }
      if (writing) writing.whole = true
    } catch (error) {
      this.failedStage ??= stage
      throw error
    } finally {
      if (writing) writing.endedAt = performance.now()
    }
  }.bind(this)

  warn(stage: number, message: string): void {
    const warnings = this.#warnings.get(stage) ?? []
    if (warnings.length < 100) warnings.push(message)
    this.#warnings.set(stage, warnings)
  }

  /** Rows of a stage so far. */
  rowsOf(stage: number): number {
    return this.#stages.get(stage)?.rows ?? 0
  }

  /** The set of a stage's rows, where they are stored. */
  setOf(stage: number): string | null {
    return this.#stages.get(stage)?.rowSet ?? null
  }

  /** What is left to store, together with the end of the pass. */
  async end(rowsIn: number): Promise<{ stages: StageWrite[]; chunks: Chunk[] }> {
    clearTimeout(this.#timer)
    for (const { builder } of this.#stages.values()) for (const chunk of (await builder?.end()) ?? []) this.#hold(chunk)
    await this.#writes
    this.#countBytes()
    let before = rowsIn
    const stages = [...this.#stages.values()].map((writing): StageWrite => {
      const { planned, rowSet, rows, bytes, endedAt, whole } = writing
      const cacheKey = whole ? planned.cacheKey : null
      const ms = Math.max(0, (endedAt || performance.now()) - this.#startedAt)
      const stage = { ...planned, cacheKey, rowSet, rowsIn: before, rowsOut: rows, bytes, ms, cached: false, makesSet: true, warnings: this.#warnings.get(planned.stage) ?? [] }
      before = rows
      return stage
    })
    return { stages, chunks: this.#held }
  }

  /** Gives up; what was stored is reaped, because nothing names it. */
  async abandon(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#writes.catch(() => undefined)
  }

  async #take(writing: Writing, batch: Batch): Promise<void> {
    writing.rows += batch.length
    if (!writing.builder) return
    for (const chunk of await writing.builder.add(batch)) this.#hold(chunk)
    if (this.#heldBytes < heldBytes && this.#held.length < heldChunks) return
    const chunks = this.#held
    this.#countBytes()
    this.#held = []
    this.#heldBytes = 0
    await this.#write(async () => {
      await this.#begin()
      await writeChunks(this.#house, this.#owner, chunks)
    })
  }

  #hold(chunk: Chunk): void {
    this.#held.push(chunk)
    this.#heldBytes += chunk.data.length
  }

  #countBytes(): void {
    for (const { setId, data } of this.#held) for (const writing of this.#stages.values()) if (writing.rowSet === setId) writing.bytes += data.length
  }

  /** One write after the other, so that none is under way when the pass ends; a failed one fails all behind it. */
  #write(write: () => Promise<void>): Promise<void> {
    this.#writes = this.#writes.then(write)
    this.#writes.catch(() => undefined) // whoever waits for it hears of it
    return this.#writes
  }

  async #begin(): Promise<void> {
    if (this.#begun) return
    this.#begun = true
    const stages = [...this.#stages.values()].map(({ planned, rowSet }) => ({ ...planned, rowSet, rowsIn: 0, rowsOut: 0, bytes: 0, ms: 0, cached: false, makesSet: true, warnings: [] }))
    await beginPass(this.#house, this.#owner, stages)
  }
}

function writingOf(planned: PlannedStage, keep: boolean): Writing {
  const rowSet = keep ? newId() : null
  return { planned, rowSet, builder: rowSet === null ? null : new ChunkBuilder(rowSet), rows: 0, bytes: 0, endedAt: 0, whole: false }
}
