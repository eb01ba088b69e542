import { mask } from '../../contract/schemas.ts'
import { secretName } from '../../platform/egress/headers.ts'

/** Flags whose value is a secret by itself. What comes from a credential is masked before it is stored; these may stand in the text of the query. */
const secretFlags = new Set(['bearer', 'security.bearer', 'security.basic'])

type Flags = Readonly<Record<string, unknown>>

/** The flags of a command as its record shows them. */
export function maskedFlags(flags: Flags): Record<string, unknown> {
  return mapValues(flags, (name, value) => {
    if (secretFlags.has(name)) return masked(value)
    if (name === 'headers' && typeof value === 'object' && value !== null) return mapValues(value as Flags, maskedHeader) // parsed from JSON
    return name === 'proxy' && typeof value === 'string' ? value.replace(/\/\/[^/@]*@/, `//${mask}@`) : value
  })
}

const maskedHeader = (name: string, value: unknown): unknown => (secretName.test(name) ? masked(value) : value)

const masked = (value: unknown): unknown => (value === null || value === '' ? value : mask)

const mapValues = (fields: Flags, map: (name: string, value: unknown) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, map(name, value)]))
