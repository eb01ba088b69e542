import type { Preferences } from '../services/handler.ts'

/** Longest that an answer is held. */
const maxWaitS = 600
/** How long it is held for a client that does not say. */
const usualWaitS = '60'

/** Reads the `Prefer` header; by its own rules (RFC 7240), what is not understood is passed over, parameters of a preference too. */
export function preferencesOf(header: string): Preferences {
  if (header === '') return {}
  const wishes = header.split(',').map((wish) => wish.replace(/;.*/s, '').trim().toLowerCase())
  const wait = wishes.map((wish) => (wish === 'wait' ? usualWaitS : /^wait\s*=\s*"?(\d{1,9})"?$/.exec(wish)?.[1])).find((seconds) => seconds !== undefined)
  return {
    ...(wait === undefined ? {} : { waitS: Math.min(Number(wait), maxWaitS) }),
    ...(wishes.includes('respond-async') ? { async: true } : {}),
  }
}
