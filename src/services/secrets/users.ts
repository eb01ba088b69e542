import type { Static } from 'typebox'
import type { User } from '../../contract/secrets/users.ts'
import { Problem } from '../../platform/errors.ts'
import { Prisma, type User as UserRow } from '../../platform/prisma/generated/client.ts'
import { oneRow } from '../../platform/prisma/oneRow.ts'
import { auditEntry, missed, orNotFound } from '../change.ts'
import type { HandlersOf, RequestFacts } from '../handler.ts'
import type { House } from '../house.ts'
import { Records } from '../records.ts'
import { checkPasswordBytes } from './passwords.ts'
import { SignIn } from './signIn.ts'

type Ids = `secrets.user.${'create' | 'update' | 'verify'}`

const noun = 'user'
const taken = (username: string): string => `There is a user ${JSON.stringify(username)} already; choose another username.`

/** Users: people who sign in with a name and a password. */
export function userHandlers(house: House): HandlersOf<Ids> {
  const users = new Records<UserRow, Pick<UserRow, 'username' | 'passwordHash'>, Static<typeof User>>(house, {
    noun,
    key: 'username',
    table: (connection) => connection.user,
    stored: oneRow('users', Prisma.UserScalarFieldEnum),
    present,
  })
  const signIn = new SignIn(house)

  return {
    'secrets.user.create': async (request) => {
      const { username, password } = request.body.credential
      checkPasswordBytes('/credential/password', password)
      return users.create(request, { username, passwordHash: await signIn.hashNew(password) }, taken(username))
    },

    'secrets.user.update': async (request) => {
      const { username, password, oldpassword } = request.body.credential
      checkPasswordBytes('/credential/password', password)
      checkPasswordBytes('/credential/oldpassword', oldpassword, 1)
      const base = await proveIdentity(house, signIn, request, request.params.username, oldpassword)
      if (request.ifMatch !== undefined && request.ifMatch !== base.version) throw missed(noun, base.username, base)
      return users.update(request, base.username, { username, passwordHash: await signIn.hashNew(password) }, { taken: taken(username), base })
    },

    'secrets.user.verify': async ({ body: { credential }, address }) => {
      const { username, password } = credential
      checkPasswordBytes('/credential/password', password, 1)
      const { right } = await signIn.attempt({ username, address }, password)
      return { valid: right }
    },
  }
}

/** The user whose password this is: 404 for nobody, 403 for a wrong password, both after the same work. */
async function proveIdentity(house: House, signIn: SignIn, request: RequestFacts, username: string, password: string): Promise<UserRow> {
  const { user, right } = await signIn.attempt({ username, address: request.address }, password)
  const known = orNotFound(user, noun, username)
  if (right) return known
  await house.db.auditEntry.create({ data: auditEntry(request, username, 'wrong_password'), select: { seq: true } })
  throw new Problem('wrong_password', 'The oldpassword is not right; nothing was changed.')
}

function present(row: UserRow): Static<typeof User> {
  return { id: row.id, username: row.username, version: row.version, createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() }
}
