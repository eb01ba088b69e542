/** The areas that a key may be allowed to read or write. */
const areas = ['policies', 'cellar', 'schedules', 'templates', 'secrets', 'stores', 'users', 'license', 'ops'] as const

type Area = (typeof areas)[number]

/** What one operation asks of its caller. */
export type Scope = 'queries:read' | 'queries:write' | 'browser:run' | `${Area}:read` | `${Area}:write`

/** What a key may hold: a scope, a whole area (`policies:*`), or `admin`, which stands for everything. */
export type Grant = Scope | `${Area}:*` | 'queries:*' | 'admin'

/** Every grant, in the order in which the documentation lists them. */
export const grants: readonly Grant[] = [
  'admin',
  'queries:read',
  'queries:write',
  'queries:*',
  'browser:run',
  ...areas.flatMap((area) => [`${area}:read`, `${area}:write`, `${area}:*`] as const),
]

/** Whether a key that holds these grants may use an operation that asks for this scope. */
export function allows(held: readonly string[], scope: Scope): boolean {
  if (held.includes('admin') || held.includes(scope)) return true
  return held.includes(`${scope.slice(0, scope.indexOf(':'))}:*`)
}

/** Whether a caller who holds these grants may hand this one on to a new key. */
export function mayGrant(held: readonly string[], grant: Grant): boolean {
  if (held.includes('admin') || held.includes(grant)) return true
  if (grant === 'admin') return false
  const area = grant.slice(0, grant.indexOf(':'))
  if (grant.endsWith(':*')) return held.includes(`${area}:read`) && held.includes(`${area}:write`)
  return held.includes(`${area}:*`)
}
