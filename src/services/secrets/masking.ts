import type { TSchema } from 'typebox'
import { mask } from '../../contract/schemas.ts'
import { pointerTo } from '../../platform/pointer.ts'

interface Node {
  readonly secret?: boolean
  readonly properties?: Readonly<Record<string, Node>>
  readonly patternProperties?: Readonly<Record<string, Node>>
}

type Leaf = (value: unknown, stored: unknown, path: string) => unknown

/** A value with its stored secrets back in place, and the paths of the masks for which none is stored. */
export interface Kept<Value> {
  readonly value: Value
  readonly lost: readonly string[]
}

/** The value with `mask` in place of every field that its schema calls secret. */
export function maskSecrets<Value>(schema: TSchema, value: Value): Value {
  return mapSecrets(schema, value, undefined, '', () => mask) as Value // the shape stays, only secret texts change
}

/** Puts the stored secret wherever the mask was sent back. */
export function keepSecrets<Value>(schema: TSchema, value: Value, stored: unknown): Kept<Value> {
  const lost: string[] = []
  const kept = mapSecrets(schema, value, stored, '', (given, old, path) => {
    if (given !== mask) return given
    if (typeof old !== 'string') lost.push(path)
    return old
  })
  return { value: kept as Value, lost } // the shape stays, only secret texts change
}

/** Rebuilds a value, passing each secret text through `leaf` beside what is stored at the same place. */
function mapSecrets(node: Node | undefined, value: unknown, stored: unknown, path: string, leaf: Leaf): unknown {
  if (!node) return value
  if (node.secret && typeof value === 'string') return leaf(value, stored, path)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const mapField = (key: string, item: unknown) => mapSecrets(childOf(node, key), item, fieldOf(stored, key), pointerTo(path, key), leaf)
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapField(key, item)]))
}

function childOf(node: Node, key: string): Node | undefined {
  if (node.properties && Object.hasOwn(node.properties, key)) return node.properties[key]
  return Object.values(node.patternProperties ?? {})[0]
}

function fieldOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
}
