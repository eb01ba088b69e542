import { fault, maxFaults, type Fault } from '../../query/text/fault.ts'
import { nearest } from '../../query/text/nearest.ts'
import { resourceReferences, type ResourceKind, type ResourceReference } from '../../query/resourceReferences.ts'
import type { ParsedQuery } from '../../query/plan.ts'
import type { House } from '../house.ts'

const tables: Readonly<Record<ResourceKind, string>> = { credential: 'credentials', prompt: 'prompts', store: 'stores', template: 'templates' }

/** Faults for stored things that a query names and that do not exist, the first of them where there are many; one look-up for each kind, however many names. */
export async function missingResources(house: House, query: ParsedQuery): Promise<Fault[]> {
  const references = resourceReferences(query)
  const kinds = [...new Set(references.map(({ kind }) => kind))]
  const faults = await Promise.all(kinds.map((kind) => missingOf(house, kind, references.filter((reference) => reference.kind === kind))))
  return faults.flat().toSorted((a, b) => a.start - b.start).slice(0, maxFaults)
}

async function missingOf({ pool }: House, kind: ResourceKind, references: readonly ResourceReference[]): Promise<Fault[]> {
  const names = [...new Set(references.map(({ name }) => name))]
  const { rows } = await pool.query<{ name: string }>({ name: `names-of-${kind}`, text: `SELECT name FROM ${tables[kind]} WHERE name = ANY($1)`, values: [names] })
  const known = new Set(rows.map(({ name }) => name))
  const missing = references.filter(({ name }) => !known.has(name)).slice(0, maxFaults)
  if (missing.length === 0) return []
  const others = await pool.query<{ name: string }>({ name: `some-${kind}`, text: `SELECT name FROM ${tables[kind]} ORDER BY name LIMIT 500` })
  const candidates = others.rows.map(({ name }) => name)
  return missing.map(({ name, start, end }) => {
    const hint = nearest(name, candidates)
    return fault(start, end, `there is no ${kind} named ${name.slice(0, 100)}`, { expected: `the name of a stored ${kind}`, ...(hint ? { hint } : {}) })
  })
}
