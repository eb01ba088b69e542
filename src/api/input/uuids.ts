import type { TSchema } from 'typebox'

/**
 * Makes the function that writes the UUIDs among the fields of an object in small letters, in place: clients may use either,
 * while everything behind the edge stores and compares them in small ones.
 */
export function uuidsLowered(schema: TSchema | undefined): (value: unknown) => void {
  // Schemas without named fields have none to lower.
  const { properties = {} } = (schema ?? {}) as { properties?: Readonly<Record<string, { readonly format?: string }>> }
  const names = Object.entries(properties).filter(([, { format }]) => format === 'uuid').map(([name]) => name)
  return (value) => {
    if (names.length === 0 || value === undefined) return
    const fields = value as Record<string, unknown> // checked against the schema, which has fields
    for (const name of names) if (typeof fields[name] === 'string') fields[name] = fields[name].toLowerCase()
  }
}
