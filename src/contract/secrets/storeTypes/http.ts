import { Type } from 'typebox'
import { SecretText } from '../../schemas.ts'
import { Choice, HeaderMap, headerValue, HttpUrl } from '../fields.ts'
import { userAndPassword } from './logins.ts'
import { serialization, timeoutMs } from './settings.ts'
import { defineStoreType, Login, Settings } from './shape.ts'

/** Any server that takes rows by HTTP. */
export const http = defineStoreType({
  title: 'HTTP',
  summary: 'Sends every batch of rows as the body of one request.',
  configuration: Settings({
    url: HttpUrl('Where rows are sent.'),
    method: Choice(['POST', 'PUT', 'PATCH'], 'POST', 'Method of the requests.'),
    headers: Type.Optional(HeaderMap(Type.String(headerValue), 'Headers that are not secret; secret ones go into the credentials.')),
    ...serialization,
    timeoutMs,
  }),
  credentials: Type.Optional(
    Login({
      ...userAndPassword,
      token: Type.Optional(SecretText({ description: 'Bearer token, in place of user name and password.' })),
      headers: Type.Optional(HeaderMap(SecretText(headerValue), 'Headers with secret values, such as API keys.')),
    }),
  ),
  example: {
    store: { name: 'webhook' },
    configuration: { url: 'https://hooks.example/rows', format: 'json' },
    credentials: { token: 'example-token' },
  },
})
