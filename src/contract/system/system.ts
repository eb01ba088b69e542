import { Type } from 'typebox'
import { defineOperations } from '../define.ts'
import { FreeObject } from '../schemas.ts'

const Check = Type.Object({ ok: Type.Boolean(), ms: Type.Optional(Type.Number()) })

export const system = defineOperations({
  'system.health.read': {
    method: 'GET',
    path: '/healthz',
    summary: 'Whether the process lives',
    scope: 'public',
    origin: 'beyond',
    reply: { status: 200, body: Type.Object({ status: Type.Literal('ok') }) },
  },
  'system.readiness.read': {
    method: 'GET',
    path: '/readyz',
    summary: 'Whether the process can take work',
    description: 'Answers 503 with the same shape while the database or Redis is away, or while the process shuts down.',
    scope: 'public',
    origin: 'beyond',
    reply: { status: 200, body: Type.Object({ status: Type.String(), checks: Type.Object({ database: Check, redis: Check }) }) },
  },
  'system.openapi.read': {
    method: 'GET',
    path: '/v1/openapi.json',
    summary: 'This interface as OpenAPI 3.1',
    scope: 'public',
    origin: 'beyond',
    reply: { status: 200, body: FreeObject },
  },
  'system.metrics.read': {
    method: 'GET',
    path: '/metrics',
    summary: 'Metrics of the whole cluster',
    description: 'The text format of Prometheus. Every API process answers for all processes; `process` names the one that a series comes from.',
    scope: 'ops:read',
    origin: 'beyond',
    reply: { status: 200, stream: ['text/plain; version=0.0.4; charset=utf-8'] },
  },
})
