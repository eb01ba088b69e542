import type { Cap } from './caps.ts'

/** The names of what the governor keeps in Redis; the client puts the prefix of the installation before each of them. */
export const keys = {
  epoch: 'gonogo:epoch',
  cooling: 'gonogo:cooling',
  active: 'gonogo:active',
  line: (domain: string) => `gonogo:line:${domain}`,
  due: (domain: string) => `gonogo:due:${domain}`,
  late: (domain: string) => `gonogo:late:${domain}`,
  granted: (domain: string) => `gonogo:granted:${domain}`,
}

/** The id of the limiter of one window. */
export const limiterId = (prefix: string, domain: string, ms: number): string => `${prefix}:${domain}:${ms}`

/** Where Bottleneck keeps when each slot of a limiter ends. */
export const expirationsKey = (prefix: string, domain: string, { ms }: Cap): string => `b_${limiterId(prefix, domain, ms)}_job_expirations`

/** Where Bottleneck keeps how many slots a limiter has. */
export const settingsKey = (prefix: string, domain: string, { ms }: Cap): string => `b_${limiterId(prefix, domain, ms)}_settings`

/** The channel on which every process hears that a policy has changed. */
export const policiesChannel = (prefix: string): string => `${prefix}:policies`

/** The channel on which every process hears that a domain cools down. */
export const coolingChannel = (prefix: string): string => `${prefix}:cooling`
