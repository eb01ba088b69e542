import { isIP } from 'node:net'
import type { Static } from 'typebox'
import type { Rates } from '../contract/gonogo/policies.ts'

/** Dispatches allowed in each window; a window left out is not limited. */
export type Limits = Static<typeof Rates>

/** The host and every parent domain, longest first; an address has no parents. */
export function namesCovering(host: string): string[] {
  if (isIP(host) !== 0 || host.startsWith('[')) return [host]
  const labels = host.split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}

/** The limits that a setting such as `1/10/60` stands for; `off` stands for none. */
export function defaultLimits(setting: string): Limits {
  if (setting === 'off') return {}
  const [perSecond, perTenSeconds, perMinute] = setting.split('/').map(Number)
  return limitsOf({ perSecond, perTenSeconds, perMinute })
}

/** The limits of a stored policy, whose windows without a limit hold nothing. */
export function limitsOf(rates: { readonly [Window in keyof Limits]: number | null | undefined }): Limits {
  const { perSecond, perTenSeconds, perMinute } = rates
  return {
    ...(perSecond == null ? {} : { perSecond }),
    ...(perTenSeconds == null ? {} : { perTenSeconds }),
    ...(perMinute == null ? {} : { perMinute }),
  }
}
