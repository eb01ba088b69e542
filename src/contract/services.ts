/** The internal services, by the names that the status and restart operations use. */
export const serviceNames = ['gonogo', 'sirp', 'secrets', 'licorice', 'workers', 'jobs', 'mentos', 'screenshot', 'krull', 'almanac'] as const

export type ServiceName = (typeof serviceNames)[number]
