import type { ParsedQuery } from './plan.ts'

/** Hosts that a query names outright in its addresses; those that come from rows are not known beforehand. */
export function domainsOf({ stages }: ParsedQuery): string[] {
  const urls = stages
    .filter(({ command }) => command.kind === 'expand' || command.kind === 'sink')
    .flatMap(({ shownArgs, shownFlags }) => [...shownArgs, shownFlags['url']])
    .filter((value) => typeof value === 'string')
  return [...new Set(urls.map(hostOf).filter((host) => host !== null))]
}

function hostOf(text: string): string | null {
  const host = /^https?:\/\/([^/?#$\s]+)(?:[/?#]|$)/i.exec(text)?.[1]
  return host !== undefined && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : null
}
