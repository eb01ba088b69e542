import type { Page } from '../../contract/schemas.ts'
import type { TypeRegistry } from '../../contract/secrets/typeRegistry.ts'
import { invalid, invalidField } from '../../platform/errors.ts'
import type { Connection, Prisma } from '../../platform/prisma/database.ts'
import type { OneRow } from '../../platform/prisma/oneRow.ts'
import type { RequestFacts } from '../handler.ts'
import type { House } from '../house.ts'
import { pageOf, type Paged } from '../paging.ts'
import { Records, type Table } from '../records.ts'
import { keepSecrets, maskSecrets } from './masking.ts'

/** A row of the credentials or the stores. */
interface ConfigRow {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly config: Prisma.JsonValue
  readonly sealed: string
  readonly version: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

interface Columns {
  readonly name: string
  readonly type: string
  readonly config: Prisma.InputJsonObject
  readonly sealed: string
}

interface Draft {
  readonly type: string
  readonly config: object
}

interface Kind {
  readonly noun: string
  readonly tableName: 'credentials' | 'stores'
  readonly table: (connection: Connection) => Table<ConfigRow, Columns>
  readonly stored: OneRow
  readonly registry: TypeRegistry
  readonly nameOf: (config: never) => string
}

/** A credential or a store as it is answered. */
export interface ConfigRecord {
  readonly id: string
  readonly name: string
  readonly type: never
  readonly config: Record<string, unknown>
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** Named records whose config holds secrets: kept sealed as a whole, and beside it masked, so that a read opens nothing. */
export class SealedConfigs {
  readonly #house: House
  readonly #kind: Kind
  readonly #records: Records<ConfigRow, Columns, ConfigRecord>

  constructor(house: House, kind: Kind) {
    this.#house = house
    this.#kind = kind
    this.#records = new Records<ConfigRow, Columns, ConfigRecord>(house, { noun: kind.noun, key: 'name', table: kind.table, stored: kind.stored, present })
  }

  list(page: Page): Promise<Paged<ConfigRecord>> {
    return this.#records.list(page)
  }

  read(name: string): Promise<ConfigRecord> {
    return this.#records.read(name)
  }

  async create(request: RequestFacts, draft: Draft): Promise<ConfigRecord> {
    const columns = this.#columns(request.newId, draft, null)
    return this.#records.create(request, columns, this.#taken(columns.name))
  }

  /** Replaces type and config; a mask that came back stands for what is stored. */
  async update(request: RequestFacts, name: string, draft: Draft): Promise<ConfigRecord> {
    const taken = this.#taken(this.#kind.nameOf(draft.config as never)) // checked against the type's schema, which has the name
    return this.#records.update(request, name, (row) => this.#columns(row.id, draft, this.#stored(row, draft.type)), { taken })
  }

  delete(request: RequestFacts, name: string): Promise<undefined> {
    return this.#records.delete(request, name)
  }

  /** The schemas of all types, a page at a time. */
  schemas(page: Page): Paged<ReturnType<SealedConfigs['schema']>> {
    return pageOf(page, Object.keys(this.#kind.registry).map((type) => this.schema(type)))
  }

  /** The schema of one type. */
  schema(type: string) {
    const { title, summary, schema } = this.#typeOf(type)
    return { type, title, summary, schema: schema as unknown as Record<string, unknown> } // a TypeBox schema is plain JSON Schema
  }

  #columns(id: string, { type, config }: Draft, stored: unknown): Columns {
    const { schema } = this.#typeOf(type)
    const { value: whole, lost } = keepSecrets(schema, config, stored)
    const message = 'is a mask, and no secret is stored here; send the secret itself'
    if (lost.length > 0) throw invalid(lost.map((path) => ({ path: `/config${path}`, message })))
    return {
      name: this.#kind.nameOf(whole as never),
      type,
      config: maskSecrets(schema, whole),
      sealed: this.#house.box.seal(this.#place(id), JSON.stringify(whole)),
    }
  }

  /** What masks may stand for: the stored config, as long as the type stays. */
  #stored({ id, type, sealed }: ConfigRow, newType: string): unknown {
    return type === newType ? JSON.parse(this.#house.box.open(this.#place(id), sealed)) : null
  }

  #typeOf(type: string): TypeRegistry[string] {
    const entry = Object.hasOwn(this.#kind.registry, type) ? this.#kind.registry[type] : undefined
    if (!entry) throw invalidField('/type', 'is not a known type')
    return entry
  }

  #taken(name: string): string {
    return `There is a ${this.#kind.noun} named ${JSON.stringify(name)} already.`
  }

  #place(id: string) {
    return { table: this.#kind.tableName, id, field: 'sealed' }
  }
}

function present(row: ConfigRow): ConfigRecord {
  return {
    id: row.id,
    name: row.name,
    type: row.type as never, // written only after a check against the registry whose names the reply lists
    config: row.config as Record<string, unknown>,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
