/** Where a browser job can be read. */
export const linkOf = (id: string): string => `/v1/jobs/browser/${id}`

/** Where the flight of a browser job is read. */
export const jobFlightLink = (id: string): string => `${linkOf(id)}/flight`

/** Where the flight of a run of a query's command is read. */
export const runFlightLink = (queryId: string, stage: number, index: number): string =>
  `/v1/sirp/query/${queryId}/stages/${stage}/commands/${index}/flight`
