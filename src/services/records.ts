import type { Page } from '../contract/schemas.ts'
import type { Connection } from '../platform/prisma/database.ts'
import { atVersion, change, missed, orNotFound } from './change.ts'
import type { RequestFacts } from './handler.ts'
import type { House } from './house.ts'
import { readPage, type Paged } from './paging.ts'

interface Row {
  readonly id: string
  readonly version: number
}

type Where = Readonly<Record<string, unknown>>

/** The part of a Prisma table that records need. */
interface Table<R extends Row, Draft> {
  findMany(args: { where: Where; skip: number; take: number; orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] }): PromiseLike<R[]>
  count(args: { where: Where }): PromiseLike<number>
  findFirst(args: { where: Where }): PromiseLike<R | null>
  create(args: { data: Draft & { id: string } }): PromiseLike<R>
  updateManyAndReturn(args: { where: Where; data: Partial<Draft> & { version: { increment: number } } }): PromiseLike<R[]>
  deleteMany(args: { where: Where }): PromiseLike<{ count: number }>
}

interface RecordKind<R extends Row, Draft, Item> {
  /** What people call it in messages. */
  readonly noun: string
  /** The column that addresses it. */
  readonly key: string
  readonly table: (connection: Connection) => Table<R, Draft>
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

  async list(page: Page, where: Where = {}): Promise<Paged<Item>> {
    const table = this.#kind.table(this.#house.db)
    const rows = (window: { skip: number; take: number }) => table.findMany({ where, ...window, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
    return readPage(page, { rows, count: () => table.count({ where }) }, this.#kind.present)
  }

  /** The row behind an address, or a 404. */
  async find(address: string): Promise<R> {
    return orNotFound(await this.#find(address), this.#kind.noun, address)
  }

  async read(address: string): Promise<Item> {
    return this.#kind.present(await this.find(address))
  }

  async create(request: RequestFacts, data: Draft, taken: string): Promise<Item> {
    const id = request.newId
    const { table, present } = this.#kind
    const row = await change(this.#house, request, {
      target: id,
      write: async (tx) => table(tx).create({ data: { ...data, id } }),
      taken,
      found: async () => table(this.#house.db).findFirst({ where: { id } }),
    })
    return present(row)
  }

  /** Changes a record; `base` is the row that the new values were made from, where they were made from one. */
  async update(request: RequestFacts, address: string, data: Partial<Draft>, options: { taken?: string; base?: R } = {}): Promise<Item> {
    const { table, key, noun, present } = this.#kind
    const version = options.base ? { version: options.base.version } : atVersion(request)
    const row = await change(this.#house, request, {
      target: address,
      write: async (tx) => {
        const [updated] = await table(tx).updateManyAndReturn({ where: { [key]: address, ...version }, data: { ...data, version: { increment: 1 } } })
        if (!updated) throw missed(noun, address, await this.#find(address))
        return updated
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
        if (count === 0) throw missed(noun, address, await this.#find(address))
        return undefined
      },
    })
  }

  #find(address: string): PromiseLike<R | null> {
    return this.#kind.table(this.#house.db).findFirst({ where: { [this.#kind.key]: address } })
  }
}
