/** How long a worker owns a query or unit without a sign of life: after that another one takes it over. */
export const leaseMs = 8_000

/** How often a worker gives that sign, and hears whether its query was cancelled. */
export const renewMs = 1_000

/** Owners that a query or unit may have without any progress, before it counts as what ends them. */
export const maxClaims = 4

/** Rows of one chunk at most. */
export const chunkRows = 1_000

/** Chunks that one input row of an expanding stage can make; it spreads the sequence of chunks so that each row has its place. */
export const chunksPerRow = 1_000_000

/** Most that is read of rows at once, in bytes as stored and in characters of JSON: rows may be of any width. */
export const mostRead = 16 * 2 ** 20
