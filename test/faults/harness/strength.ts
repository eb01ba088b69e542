/** Whether faults last as long as a cluster must bear them (`FAULTS=full npm test -- test/faults`); shorter ones keep `npm test` within its time. */
const isFull = process.env['FAULTS'] === 'full' // oxlint-disable-line no-restricted-properties -- a setting of the tests, not of the service

/** How long, or how often, a fault strikes: in `npm test`, and at its full strength. */
export const strength = (usual: number, full: number): number => (isFull ? full : usual)
