import type { Page } from '../contract/schemas.ts'
import type { Connection } from '../platform/prisma/database.ts'
import { readOne, type OneRow } from '../platform/prisma/oneRow.ts'
import { atVersion, change, missed, orNotFound } from './change.ts'
import type { RequestFacts } from './handler.ts'
import type { House } from './house.ts'
import { readPage, type Paged } from './paging.ts'

interface Row {
  readonly id: string
  readonly version: number
}

type Where = Readonly<Record<string, unknown>>
type Order = Readonly<Record<string, 'asc' | 'desc'>>

/** The part of a Prisma table that records need. */
export interface Table<R extends Row, Draft> {
  findMany(args: { where: Where; skip: number; take: number; orderBy: Order[] }): PromiseLike<R[]>
  count(args: { where: Where }): PromiseLike<number>
  findUnique(args: { where: Where }): PromiseLike<R | null>
  create(args: { data: Draft & { id: string } }): PromiseLike<R>
  updateManyAndReturn(args: { where: Where; data: Partial<Draft> | { version: { increment: number } } }): PromiseLike<R[]>
  deleteMany(args: { where: Where }): PromiseLike<{ count: number }>
}

type Values<R extends Row, Draft> = Partial<Draft> | ((row: R) => Partial<Draft>)

interface RecordKind<R extends Row, Draft, Item> {
  /** What people call it in messages. */
  readonly noun: string
  /** The column that addresses it. */
  readonly key: string
  readonly table: (connection: Connection) => Table<R, Draft>
  /** The same table for the prepared read of one row. */
  readonly stored: OneRow
  readonly present: (row: R) => Item
}

/** The life of one kind of record: what every resource does the same way, audited, versioned, with its conflicts named. */
export class Records<R extends Row, Draft, Item> {
  readonly #house: House
  readonly #kind: RecordKind<R, Draft, Item>

  constructor(house: House, kind: RecordKind<R, Draft, Item>) {
    this.#house = house
    this.#kind = kind
  }

  async list(page: Page, where: Where = {}, order: Order = { createdAt: 'asc' }): Promise<Paged<Item>> {
    const table = this.#kind.table(this.#house.db)
    const rows = (window: { skip: number; take: number }) => table.findMany({ where, ...window, orderBy: [order, { id: 'asc' }] })
    return readPage(page, { rows, count: () => table.count({ where }) }, this.#kind.present)
  }

  /** The row behind an address, or a 404. */
  async find(address: string): Promise<R> {
    const { stored, key, noun } = this.#kind
    return orNotFound(await readOne<R>(this.#house.pool, stored, key, address), noun, address)
  }

  async read(address: string): Promise<Item> {
    return this.#kind.present(await this.find(address))
  }

  /** Creates a record, under the request's own id unless its user has asked for another. */
  async create(request: RequestFacts, data: Draft, taken: string, id: string = request.newId): Promise<Item> {
    const { table, present } = this.#kind
    const row = await change(this.#house, request, {
      target: id,
      write: async (tx) => table(tx).create({ data: { ...data, id } }),
      taken,
      // An id that was asked for may be anybody's; only the request's own one tells that an earlier try of it made the record.
      found: async () => (id === request.newId ? table(this.#house.db).findUnique({ where: { id } }) : null),
    })
    return present(row)
  }

  /**
   * Changes a record; values that are made from the stored ones come as a function of the row, which nobody else changes meanwhile.
   * `base` is the row that the new values were made from before: only that very row at that very version is changed.
   */
  async update(request: RequestFacts, address: string, data: Values<R, Draft>, options: { taken?: string; base?: R } = {}): Promise<Item> {
    const { table, key, noun, present } = this.#kind
    const { base } = options
    const where = base ? { id: base.id, version: base.version } : { [key]: address, ...atVersion(request) }
    const row = await change(this.#house, request, {
      target: address,
      write: async (tx) => {
        // Counting comes first because it locks the row.
        const [counted] = await table(tx).updateManyAndReturn({ where, data: { version: { increment: 1 } } })
        if (!counted) throw missed(noun, address, await this.#find(address, tx))
        const [updated] = await table(tx).updateManyAndReturn({ where: { id: counted.id }, data: typeof data === 'function' ? data(counted) : data })
        return orNotFound(updated, noun, address)
      },
      ...(options.taken === undefined ? {} : { taken: options.taken }),
    })
    return present(row)
  }

  async delete(request: RequestFacts, address: string): Promise<undefined> {
    const { table, key, noun } = this.#kind
    return change(this.#house, request, {
      target: address,
      write: async (tx) => {
        const { count } = await table(tx).deleteMany({ where: { [key]: address, ...atVersion(request) } })
        if (count === 0) throw missed(noun, address, await this.#find(address, tx))
        return undefined
      },
    })
  }

  /** Inside a transaction the connection must be its own: waiting for a second one would use up the pool. */
  #find(address: string, connection: Connection): PromiseLike<R | null> {
    return this.#kind.table(connection).findUnique({ where: { [this.#kind.key]: address } })
  }
}
