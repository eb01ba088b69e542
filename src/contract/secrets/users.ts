import { Type } from 'typebox'
import { defineOperations } from '../define.ts'
import { Closed, Label, SecretText, Stamps, Version } from '../schemas.ts'

/** How long a password may be, in bytes of UTF-8; one that is only verified may be shorter. */
export const passwordBytes = { min: 8, max: 1024 } as const

const NewPassword = SecretText({ maxLength: passwordBytes.max, explain: `must have ${passwordBytes.min} to ${passwordBytes.max} bytes in UTF-8` })
const GivenPassword = SecretText({ maxLength: passwordBytes.max, explain: `must have 1 to ${passwordBytes.max} bytes in UTF-8` })

/** A user as it is created. */
export const UserDraft = Closed({ credential: Closed({ username: Label, password: NewPassword }) })

/** A user as it is changed: the old password proves that the user asks for it. */
export const UserChange = Closed({ credential: Closed({ username: Label, password: NewPassword, oldpassword: GivenPassword }) })

/** A user as it is answered: nothing of the password. */
export const User = Type.Object({ ...Stamps, version: Version, username: Type.String() })

const slowsDown = 'After ten failed attempts in a row for a user, or a hundred in 15 minutes from an address, each further one must wait: 429 with Retry-After.'

/** The operations on users: people who sign in with a name and a password. */
export const users = defineOperations({
  'secrets.user.create': {
    method: 'POST',
    path: '/v1/secrets/users',
    summary: 'Create a new user',
    description: 'Only a slow hash of the password is stored. A username that is taken is a 409. No route reads users: the Location is where the user is updated.',
    scope: 'users:write',
    body: UserDraft,
    reply: { status: 201, body: User, location: '/v1/secrets/users/:username' },
    example: { credential: { username: 'ada', password: 'correct horse battery' } },
  },
  'secrets.user.update': {
    method: 'PUT',
    path: '/v1/secrets/users/:username',
    summary: 'Update a user',
    description: `Sets the password, and renames the user where the body has another username (409 if that is taken). A wrong oldpassword is a 403. ${slowsDown}`,
    scope: 'users:write',
    params: Closed({ username: Label }),
    body: UserChange,
    reply: { status: 200, body: User },
    example: { credential: { username: 'ada', password: 'battery staple', oldpassword: 'correct horse battery' } },
  },
  'secrets.user.verify': {
    method: 'POST',
    path: '/v1/secrets/users/verify',
    summary: 'Verify a user',
    description: `Whether the username and password belong together; an unknown user is answered like a wrong password. ${slowsDown}`,
    scope: 'users:read',
    pure: true,
    body: Closed({ credential: Closed({ username: Label, password: GivenPassword }) }),
    reply: { status: 200, body: Type.Object({ valid: Type.Boolean() }) },
    example: { credential: { username: 'ada', password: 'correct horse battery' } },
  },
})
