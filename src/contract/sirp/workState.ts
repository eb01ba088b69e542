import { OneOf } from '../schemas.ts'

/** The states of a stage and of a command within its query. */
export const WorkState = OneOf(['queued', 'running', 'completed', 'failed', 'skipped', 'cancelled'])
