import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { ListOf, Page } from '../schemas.ts'
import { restartReply, restarts } from '../sirp/services.ts'

const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])

/** One setting of the service, as it is in force. */
export const Setting = Type.Object({ name: Type.String(), value: Value, default: Value, description: Type.String() })
export type Setting = Static<typeof Setting>

/** The operations about the policy service itself. */
export const gonogoService = defineOperations({
  'gonogo.env.read': {
    method: 'GET',
    path: '/v1/gonogo/env',
    summary: 'Retrieve environment variables',
    description: 'The settings in force, with their defaults. Secrets are never among them.',
    scope: 'ops:read',
    query: Page,
    reply: { status: 200, body: ListOf(Setting) },
  },
  'gonogo.service.restart': {
    method: 'POST',
    path: '/v1/gonogo/restart',
    summary: 'Restart service',
    description: restarts,
    scope: 'ops:write',
    startsWork: true,
    reply: restartReply,
  },
})
