import { Type } from 'typebox'
import { Closed, SecretText } from '../../schemas.ts'
import { HttpUrl, Text } from '../fields.ts'
import { CredentialsOf, defineCredentialType } from './shape.ts'

/** A key of OpenAI, or of a service that answers like it. */
export const openai = defineCredentialType({
  title: 'OpenAI',
  summary: 'Authorizes requests to OpenAI and to services that are compatible with it.',
  credentials: CredentialsOf({
    openai: Closed(
      {
        apiKey: SecretText({ description: 'API key.' }),
        organization: Type.Optional(Text('Organization that is charged.')),
        project: Type.Optional(Text('Project that is charged.')),
        baseUrl: Type.Optional(
          HttpUrl('Address up to the version; change it for a compatible service.', { default: 'https://api.openai.com/v1' }),
        ),
      },
      { description: 'The key, and where it is used.' },
    ),
  }),
  example: { credential: { name: 'summaries' }, credentials: { openai: { apiKey: 'example-api-key', baseUrl: 'https://llm.example/v1' } } },
})
