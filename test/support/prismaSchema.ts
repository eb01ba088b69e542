/** One column as the Prisma schema describes it. */
export interface SchemaField {
  readonly name: string
  readonly column: string
  /** PostgreSQL's own name of the type, such as `int4`. */
  readonly type: string
  readonly nullable: boolean
  /** The database fills it in by itself. */
  readonly hasDefault: boolean
}

/** One table as the Prisma schema describes it. */
export interface SchemaModel {
  readonly name: string
  readonly table: string
  readonly fields: readonly SchemaField[]
  readonly primaryKey: readonly string[]
  readonly unique: readonly (readonly string[])[]
}

const types: Readonly<Record<string, string>> = {
  String: 'text', Int: 'int4', BigInt: 'int8', Boolean: 'bool', Float: 'float8', Bytes: 'bytea', Json: 'jsonb', DateTime: 'timestamp',
}
const nativeTypes: Readonly<Record<string, string>> = { Uuid: 'uuid', Json: 'json', 'Timestamptz(3)': 'timestamptz(3)' }

/** Reads the models of a schema; a relation is no column and is left out. */
export function readPrismaSchema(text: string): SchemaModel[] {
  const blocks = [...text.matchAll(/^model (\w+) \{\n([\s\S]*?)^\}/gm)]
  return blocks.map(([, name = '', body = '']) => readModel(name, body.split('\n').map((line) => line.trim())))
}

function readModel(name: string, lines: readonly string[]): SchemaModel {
  const fields = lines.flatMap(readField)
  const columnOf = (field: string): string => fields.find((one) => one.name === field)?.column ?? field
  const listed = (attribute: string): string[][] => {
    const lists = lines.flatMap((line) => new RegExp(`^@@${attribute}\\(\\[(.*?)\\]`).exec(line)?.[1] ?? [])
    return lists.map((names) => names.split(', ').map(columnOf))
  }
  const marked = (attribute: string): string[][] => {
    const words = lines.map((line) => line.split(/\s+/)).filter((line) => line.includes(attribute))
    return words.map(([field = '']) => [columnOf(field)])
  }
  return {
    name,
    table: lines.map((line) => /^@@map\("(.*)"\)/.exec(line)?.[1]).find((table) => table !== undefined) ?? name,
    fields,
    primaryKey: [...listed('id'), ...marked('@id')][0] ?? [],
    unique: [...listed('unique'), ...marked('@unique')],
  }
}

function readField(line: string): SchemaField[] {
  const [, name = '', kind = '', list, optional, attributes = ''] = /^(\w+)\s+(\w+)(\[\])?(\?)?(.*)$/.exec(line) ?? []
  const plain = types[kind]
  if (plain === undefined) return []
  const native = /@db\.(\w+(?:\(\d+\))?)/.exec(attributes)?.[1]
  const type = native === undefined ? plain : (nativeTypes[native] ?? native)
  const column = /@map\("(.*?)"\)/.exec(attributes)?.[1] ?? name
  return [{ name, column, type: list ? `_${type}` : type, nullable: optional !== undefined, hasDefault: /@default\(/.test(attributes) }]
}
