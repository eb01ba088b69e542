const of = (table: string): string => (table === '' ? '' : `${table}.`)

/*
 * Conditions on the state of what is found by its id. Plans are kept, and one that is made while the statistics are young takes an index
 * of states for as good as the one of ids, although it reads all that ever waited; no index has these conditions as they are written here.
 */

/** Somebody works on it. */
export const isRunning = (table = ''): string => `(${of(table)}status = 'running') IS TRUE`

/** It has not ended. */
export const isLive = (table = ''): string => `(${of(table)}status IN ('queued', 'running')) IS TRUE`
