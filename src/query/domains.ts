import type { BoundStage } from './bind.ts'
import type { ParsedQuery } from './plan.ts'

/** Hosts that a query names outright in its addresses; those that come from rows are not known beforehand. */
export function domainsOf({ stages }: Pick<ParsedQuery, 'stages'>): string[] {
  return [...new Set(stages.map(hostIn).filter((host) => host !== null))]
}

/** The host that a stage names outright. */
export function hostIn({ command, shownArgs, shownFlags }: BoundStage): string | null {
  if (command.kind !== 'expand' && command.kind !== 'sink') return null
  // Where a flag takes the address, the arguments are something else.
  const url = 'url' in command.flags ? shownFlags['url'] : shownArgs[Object.keys(command.args).indexOf('url')]
  return typeof url === 'string' ? hostOf(url) : null
}

function hostOf(text: string): string | null {
  const host = /^https?:\/\/([^/?#$\s]+)(?:[/?#]|$)/i.exec(text)?.[1]
  return host !== undefined && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : null
}
