import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { Closed, Instant, ListOf, paging } from '../schemas.ts'

/** One entry of the audit log. */
export const AuditEntry = Type.Object({
  id: Type.String({ description: 'Its number: entries are numbered in the order of the chain.' }),
  actor: Type.String({ description: 'The id of the API key that did it.' }),
  action: Type.String({ description: 'The operation, such as `gonogo.policy.create`.' }),
  target: Type.Union([Type.String(), Type.Null()], { description: 'What it was done to: the id or name of a record, or the path that was refused.' }),
  outcome: Type.String({ description: '`done`, or why not, such as `forbidden`.' }),
  requestId: Type.String(),
  hash: Type.String({ description: 'SHA-256 over the entry and the hash of the one before, in hexadecimal.' }),
  intact: Type.Boolean({ description: 'Whether the hash fits the entry, and the entry the one before it. `npm run audit:verify` walks the whole chain.' }),
  createdAt: Instant,
  updatedAt: Type.With(Instant, { description: 'Always that of its creation: entries are never changed.' }),
})
export type AuditEntry = Static<typeof AuditEntry>

const exactly = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description }))

/** Which entries a list shows. */
export const AuditFilters = Closed({
  ...paging,
  actor: exactly('Only what this API key did, by its id.'),
  action: exactly('Only this operation.'),
  target: exactly('Only what was done to this record.'),
  from: Type.Optional(Type.With(Instant, { description: 'Only entries of this time or later.' })),
  to: Type.Optional(Type.With(Instant, { description: 'Only entries before this time.' })),
})

/** The operation that reads the audit log. */
export const auditEntries = defineOperations({
  'audit.entry.list': {
    method: 'GET',
    path: '/v1/audit',
    summary: 'Retrieve the audit log',
    description: 'Who changed what, newest first. Entries are only ever added, and each carries the hash of the one before.',
    scope: 'ops:read',
    origin: 'beyond',
    query: AuditFilters,
    reply: { status: 200, body: ListOf(AuditEntry) },
  },
})
