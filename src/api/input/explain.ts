import type { TSchema } from 'typebox'
import type { Fault } from '../../platform/errors.ts'
import { pointerTo } from '../../platform/pointer.ts'
import { describeExpected, type SchemaNode } from './expected.ts'
import { alternativeOf, fits, isDiscriminated, wordOf, type Discriminated } from './fits.ts'

const maxFaults = 64
/** A path may hold a client's own field names, however long. */
const maxPathLength = 500

/**
 * The faults of a value that does not fit its schema, for a person to act on; values never appear in them.
 * It follows only the parts that do not fit and stops at a bound, so that a large body costs little more than its check.
 */
export function explainFaults(schema: TSchema, value: unknown, place?: Fault['in']): Fault[] {
  const faults = new Faults(place)
  explain(schema, value, '', faults)
  return faults.list
}

/** The first fault of each path, up to the bound. */
class Faults {
  readonly #byPath = new Map<string, Fault>()
  readonly #place: Fault['in']

  constructor(place: Fault['in']) {
    this.#place = place
  }

  get full(): boolean {
    return this.#byPath.size >= maxFaults
  }

  get count(): number {
    return this.#byPath.size
  }

  get list(): Fault[] {
    return [...this.#byPath.values()]
  }

  add(path: string, message: string): void {
    const shown = path.length > maxPathLength ? `${path.slice(0, maxPathLength)}…` : path
    if (!this.full && !this.#byPath.has(shown)) this.#byPath.set(shown, { path: shown, message, ...(this.#place ? { in: this.#place } : {}) })
  }
}

function explain(schema: SchemaNode, value: unknown, path: string, faults: Faults): void {
  const before = faults.count
  if (isDiscriminated(schema)) explainMeant(schema, value, path, faults)
  else if (schema.type === 'object' && isObject(value)) explainObject(schema, value, path, faults)
  else if (schema.type === 'array' && Array.isArray(value)) explainItems(schema, value, path, faults)
  else explainRules(schema, value, path, faults)
  if (faults.count === before) faults.add(path, describeExpected(schema, value))
}

/** Speaks of the alternative that the client meant, not of all of them. */
function explainMeant(schema: Discriminated, value: unknown, path: string, faults: Faults): void {
  const { propertyName } = schema.discriminator
  const meant = alternativeOf(schema, value)
  if (meant) explain(meant, value, path, faults)
  else if (!isObject(value)) faults.add(path, 'must be an object')
  else if (!Object.hasOwn(value, propertyName)) faults.add(pointerTo(path, propertyName), 'is required')
  else faults.add(pointerTo(path, propertyName), `must be one of ${schema.anyOf.map((one) => String(wordOf(one, propertyName))).join(', ')}`)
}

function explainObject(schema: SchemaNode, value: Record<string, unknown>, path: string, faults: Faults): void {
  for (const name of schema.required ?? []) if (!Object.hasOwn(value, name)) faults.add(pointerTo(path, name), 'is required')
  for (const [name, needed] of Object.entries(schema.dependentRequired ?? {})) {
    for (const other of needed) if (Object.hasOwn(value, name) && !Object.hasOwn(value, other)) faults.add(pointerTo(path, other), `is required together with ${name}`)
  }
  for (const name of Object.keys(value)) {
    if (faults.full) return
    explainField(schema, name, value[name], pointerTo(path, name), faults)
  }
  explainRules(schema, value, path, faults)
}

/** A rule that is written beside the rest of a schema has a text of its own. */
function explainRules(schema: SchemaNode, value: unknown, path: string, faults: Faults): void {
  for (const rule of schema.allOf ?? []) if (!fits(rule, value)) explain(rule, value, path, faults)
}

function explainField(schema: SchemaNode, name: string, value: unknown, path: string, faults: Faults): void {
  const names = schema.propertyNames
  if (names && !fits(names, name)) return faults.add(path, names.explain ?? 'is not an allowed name of a field')
  const known = schemasOf(schema, name)
  if (known.length === 0 && schema.additionalProperties === false) return faults.add(path, 'is not a known field')
  for (const field of known) if (!fits(field, value)) explain(field, value, path, faults)
}

/** The schemas that a field must fit: its own, those of patterns that it matches, else that of all other fields. */
function schemasOf({ properties = {}, patternProperties = {}, additionalProperties }: SchemaNode, name: string): SchemaNode[] {
  const own = Object.hasOwn(properties, name) ? [properties[name]] : []
  const matching = Object.entries(patternProperties).filter(([pattern]) => new RegExp(pattern, 'u').test(name)).map(([, schema]) => schema)
  const known = [...own, ...matching].filter((schema) => schema !== undefined)
  return known.length === 0 && typeof additionalProperties === 'object' ? [additionalProperties] : known
}

function explainItems({ items, minItems = 0, maxItems = Infinity }: SchemaNode, list: readonly unknown[], path: string, faults: Faults): void {
  if (!items || list.length < minItems || list.length > maxItems) return
  for (let index = 0; index < list.length && !faults.full; index += 1) {
    if (!fits(items, list[index])) explain(items, list[index], `${path}/${index}`, faults)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
