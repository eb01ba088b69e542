import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { Closed, FormFile, MaybeInstant, OneOf, Stamps } from '../schemas.ts'
import { serviceNames } from '../services.ts'

/** Largest license. */
export const maxLicenseBytes = 65_536

const Text = Type.Optional(Type.String({ maxLength: 1000 }))

/** A license as it is handed in. */
export const LicenseDraft = Closed({
  licenseKey: Closed({
    fieldname: Text,
    encoding: Type.Optional(OneOf(['utf8', 'base64'], { default: 'utf8', description: 'How `content` is written.' })),
    filename: Text,
    mimetype: Text,
    content: Type.Optional(
      Type.String({ maxLength: maxLicenseBytes, description: 'The license itself: a compact JWS, signed with Ed25519. Without it the license is not valid.' }),
    ),
  }),
})
export type LicenseDraft = Static<typeof LicenseDraft>

/** A license as it is stored and answered; the signed text itself is not shown. */
export const License = Type.Object({
  ...Stamps,
  licensee: Type.String(),
  plan: Type.String(),
  services: Type.Array(OneOf(serviceNames)),
  issuedAt: MaybeInstant,
  expiresAt: Type.With(MaybeInstant, { description: 'Null where the license does not expire.' }),
})
export type License = Static<typeof License>

const validity =
  'The license must be signed by the key of LICENSE_PUBLIC_KEY and be valid now; what is not is a 422 `license_invalid` with the reason, and replaces nothing. ' +
  'Its claims are `licensee` (or `sub`), `plan`, `services` (names of services, or `*` for all), and `iat`, `nbf` and `exp` where they are wanted. ' +
  'The newest valid license of a service is the one in force.'

const reply = { status: 201, body: License, location: '/v1/sirp/services/license' } as const

const example = { licenseKey: { encoding: 'utf8', filename: 'license.jws', content: 'eyJhbGciOiJFZERTQSJ9.e30.c2lnbmF0dXJl' } }

/** The operations on licenses; which one is in force is told by the service license statuses. */
export const licenses = defineOperations({
  'licorice.license.add': {
    method: 'POST',
    path: '/v1/licorice/license',
    summary: 'Add a license',
    description: validity,
    scope: 'license:write',
    body: LicenseDraft,
    reply,
    example,
  },
  'licorice.license.upload': {
    method: 'POST',
    path: '/v1/licorice/license/upload',
    summary: 'Upload a license',
    description: `${validity} As \`multipart/form-data\` it is the file part \`licenseKey\`.`,
    scope: 'license:write',
    body: LicenseDraft,
    form: Closed({ licenseKey: FormFile }),
    reply,
    example,
  },
})
