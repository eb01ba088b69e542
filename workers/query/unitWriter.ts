import type { Problem } from '../../src/platform/errors.ts'
import type { House } from '../../src/services/house.ts'
import { showWaiting } from '../../src/services/sirp/engine/delays.ts'
import { failUnit, finishUnit, writeUnitPart, type UnitCounts, type UnitPart, type UnitRecords } from '../../src/services/sirp/engine/unitWrites.ts'
import { addCounts, noCounts, partOf, recordsOf, waitingOf } from './unitParts.ts'
import type { RanRow } from './ranRow.ts'
import type { RestOfUnit } from './unitRows.ts'
import { onErrorOf, type UnitWork } from './unitWork.ts'
import { untilWritten } from './untilWritten.ts'

/** Neighbouring rows that are written while the others still run, so that little is left to write at the end. */
const partRows = 256
/** Chunks that one statement stores. */
const chunksAtOnce = 16

const noRecords: UnitRecords = { command: '', chunks: [], pictures: [] }

/** Writes what the rows of a unit come to. */
export class UnitWriter {
  readonly #house: House
  readonly #work: UnitWork
  readonly #signal: AbortSignal
  /** What has ended and is not written, by its place in the unit. */
  readonly #ended: (RanRow | undefined)[] = []
  /** Places up to which rows are written or being written, and up to which all of them have ended. */
  #written = 0
  #whole = 0
  /** Of what is written. */
  #counts: UnitCounts = noCounts
  #writing: Promise<void> | undefined

  constructor(house: House, work: UnitWork, signal: AbortSignal) {
    this.#house = house
    this.#work = work
    this.#signal = signal
  }

  /** Takes a row that has ended. */
  take(end: RanRow): void {
    this.#ended[end.call.index - this.#work.unit.firstRow] = end
    while (this.#ended[this.#whole]) this.#whole += 1
    if (this.#whole - this.#written >= partRows && !this.#writing && !this.failure) this.#begin()
  }

  /** The failure that fails the query. */
  get failure(): Problem | undefined {
    if (onErrorOf(this.#work) !== 'fail') return undefined
    return this.#unwritten().map(({ outcome: { end } }) => ('error' in end ? end.error : undefined)).find((error) => error)
  }

  /** Ends the unit, and hands on those rows that are for later. Answers whether it was the last one and the caller, who said that he would, is to go on with the query. */
  async finish({ later, waited }: RestOfUnit, goesOn: boolean): Promise<boolean> {
    await this.#writing
    const { unit } = this.#work
    const waiting = waitingOf(later)
    const { part, counts: last } = await partOf(this.#house, this.#work, this.#unwritten())
    const end = { ...(await this.#writeMost(part)), counts: addCounts(this.#counts, last), waiting, goesOn }
    const isLast = await untilWritten(this.#signal, () => finishUnit(this.#house, unit, end))
    const shown = waiting.find((rows) => rows.waiting)
    if (shown || waited || unit.waited) await showWaiting(this.#house, unit.queryId, shown?.waiting ?? null)
    return isLast && goesOn
  }

  /** Ends the query of the unit, whose command failed. */
  async fail(error: Problem): Promise<void> {
    await this.#writing
    const { unit, secrets } = this.#work
    const { records, counts } = await recordsOf(this.#house, this.#work, this.#unwritten())
    const failure = { code: error.code, detail: secrets.hide(error.message), stage: unit.stage }
    await untilWritten(this.#signal, () => failUnit(this.#house, unit, records, addCounts(this.#counts, counts), failure))
  }

  #unwritten(): RanRow[] {
    return this.#ended.filter((end) => end !== undefined)
  }

  /** Begins to write the rows that are whole; what fails is heard at the end, and nothing more is begun then. */
  #begin(): void {
    const rows = this.#ended.slice(this.#written, this.#whole).filter((end) => end !== undefined)
    this.#ended.fill(undefined, this.#written, this.#whole)
    this.#written = this.#whole
    this.#writing = this.#write(rows).then(() => void (this.#writing = undefined))
    this.#writing.catch(() => undefined)
  }

  async #write(rows: readonly RanRow[]): Promise<void> {
    const { part, counts } = await partOf(this.#house, this.#work, rows)
    const rest = await this.#writeMost(part)
    await untilWritten(this.#signal, () => writeUnitPart(this.#house, this.#work.unit, rest))
    this.#counts = addCounts(this.#counts, counts)
  }

  /** Writes all but the last chunks of rows that are very wide or many; answers what is left. */
  async #writeMost(part: UnitPart): Promise<UnitPart> {
    const chunks = [...part.chunks]
    while (chunks.length > chunksAtOnce) {
      const some = { ...part, chunks: chunks.splice(0, chunksAtOnce), records: noRecords, cache: [] }
      await untilWritten(this.#signal, () => writeUnitPart(this.#house, this.#work.unit, some))
    }
    return { ...part, chunks }
  }
}
