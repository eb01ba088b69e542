import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { Closed, OneOf } from '../schemas.ts'
import { restartReply, restarts } from '../sirp/services.ts'

/** The image types that a screenshot can have. */
export const imageTypes = ['png', 'jpeg', 'webp'] as const

/** Content types of a screenshot that is answered as an image. */
export const imageStreams = ['image/png', 'image/jpeg', 'image/webp'] as const

/** The name of a stored image: the SHA-256 of its bytes. */
export const ScreenshotHash = Type.String({
  minLength: 64,
  maxLength: 64,
  pattern: '^[0-9a-fA-F]{64}$',
  explain: 'must be exactly 64 hexadecimal characters, as the screenshot lists show them',
})

/** What is known about a screenshot beside its image. */
export const Screenshot = Type.Object({
  hash: ScreenshotHash,
  type: OneOf(imageTypes),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  bytes: Type.Integer({ minimum: 1 }),
  url: Type.String({ description: 'Address of the image.' }),
})
export type Screenshot = Static<typeof Screenshot>

/** The operations of the screenshot service. */
export const screenshots = defineOperations({
  'screenshot.service.restart': {
    method: 'POST',
    path: '/v1/screenshot/restart',
    summary: 'Restart the service',
    description: restarts,
    scope: 'ops:write',
    startsWork: true,
    reply: restartReply,
  },
  'screenshot.image.read': {
    method: 'GET',
    path: '/v1/screenshot/:hash',
    summary: 'Retrieve a screenshot',
    description: 'The image itself. An address always answers the same bytes, so it may be cached for ever. Whoever knows the hash of a picture has been shown it.',
    scope: 'queries:read',
    ownScope: 'browser:run', // a browser operation answers no more than the hash, which nobody can guess
    params: Closed({ hash: ScreenshotHash }),
    reply: { status: 200, stream: imageStreams },
  },
})
