import type { Static } from 'typebox'
import { mask } from '../../contract/schemas.ts'
import type { Secret, SecretDraft } from '../../contract/secrets/secrets.ts'
import { invalidField } from '../../platform/errors.ts'
import type { Connection } from '../../platform/prisma/database.ts'
import { Prisma, type Secret as SecretRow } from '../../platform/prisma/generated/client.ts'
import { oneRow } from '../../platform/prisma/oneRow.ts'
import { atVersion, change, missed, orNotFound } from '../change.ts'
import type { HandlersOf, RequestFacts } from '../handler.ts'
import type { House } from '../house.ts'
import { Records } from '../records.ts'

type Ids = `secrets.secret.${'create' | 'createTyped' | 'list' | 'read' | 'delete'}`
type SecretType = Static<typeof Secret>['type']

interface Columns {
  readonly type: SecretType
  readonly name: string
  readonly providerType: string | null
  readonly sealed: string | null
  readonly metadata?: Prisma.InputJsonObject
}

interface Address {
  readonly type: SecretType
  readonly name: string
}

const noun = 'secret'

/** Secrets: values that are stored encrypted and never shown. */
export function secretHandlers(house: House): HandlersOf<Ids> {
  const secrets = new Records<SecretRow, Columns, Static<typeof Secret>>(house, { noun, key: 'id', table: (connection) => connection.secret, stored: oneRow('secrets', Prisma.SecretScalarFieldEnum), present })
  const create = (request: RequestFacts, type: SecretType, draft: Static<typeof SecretDraft>) => {
    const taken = `There is a secret ${JSON.stringify(pathOf({ type, name: draft.name }))} already; delete that one or choose another name.`
    return secrets.create(request, columns(house, request.newId, type, draft), taken)
  }
  const find = ({ type, name }: Address, connection: Connection = house.db) => connection.secret.findUnique({ where: { type_name: { type, name } } })

  return {
    'secrets.secret.list': ({ query: { type, ...page } }) => secrets.list(page, type === undefined ? {} : { type }),
    'secrets.secret.read': async ({ params }) => present(orNotFound(await find(params), noun, pathOf(params))),
    'secrets.secret.create': (request) => create(request, request.body.type ?? 'custom', request.body),
    'secrets.secret.createTyped': async (request) => {
      const { type } = request.params
      if (request.body.type !== undefined && request.body.type !== type) throw invalidField('/type', `must be ${type}, as in the path, or be left out`)
      return create(request, type, request.body)
    },
    'secrets.secret.delete': (request) => {
      const { type, name } = request.params
      return change(house, request, {
        target: pathOf(request.params),
        write: async (tx) => {
          const { count } = await tx.secret.deleteMany({ where: { type, name, ...atVersion(request) } })
          if (count === 0) throw missed(noun, pathOf(request.params), await find(request.params, tx))
          return undefined
        },
      })
    },
  }
}

/** How messages and the audit log name a secret. */
const pathOf = ({ type, name }: Address): string => `${type}/${name}`

function columns(house: House, id: string, type: SecretType, { name, providerType, secret, metadata }: Static<typeof SecretDraft>): Columns {
  return {
    type,
    name,
    providerType: providerType ?? null,
    sealed: secret === undefined ? null : house.box.seal({ table: 'secrets', id, field: 'sealed' }, secret),
    // Parsed from a JSON body, so it is JSON through and through.
    ...(metadata === undefined ? {} : { metadata: metadata as Prisma.InputJsonObject }),
  }
}

function present(row: SecretRow): Static<typeof Secret> {
  return {
    id: row.id,
    // The contract has checked the type and the metadata before they were written.
    type: row.type as SecretType,
    name: row.name,
    ...(row.providerType === null ? {} : { providerType: row.providerType }),
    ...(row.sealed === null ? {} : { secret: mask }),
    ...(row.metadata === null ? {} : { metadata: row.metadata as NonNullable<Static<typeof Secret>['metadata']> }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
