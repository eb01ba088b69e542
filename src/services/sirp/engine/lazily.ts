/**
 * A part of a statement (`WITH ${lazily} …, lazy`) whose commit then does not wait for the disk, which takes ten times as long as the
 * statement itself. Only for what may be forgotten when the database server crashes a moment later: that somebody works on something,
 * or that a job which was sent has left the outbox. What a crash makes forgotten was written before all that is committed after it,
 * so nothing that is kept can depend on it.
 */
export const lazily = `lazy AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS is)`

/** The fence of a new owner. It leaps, so that an owner whose claim was forgotten does not have the number of the one who claims next. */
export const nextFence = (table: string): string => `${table}.fence + 1 + floor(random() * 1000)::integer`
