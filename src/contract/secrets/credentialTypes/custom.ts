import { Closed, SecretText } from '../../schemas.ts'
import { CredentialsOf, defineCredentialType } from './shape.ts'

/** Any one secret value. */
export const custom = defineCredentialType({
  title: 'Custom value',
  summary: 'One secret text, to be used wherever a query needs it.',
  credentials: CredentialsOf({
    custom: Closed({ value: SecretText({ description: 'The secret text.' }) }, { description: 'The value.' }),
  }),
  example: { credential: { name: 'shop key' }, credentials: { custom: { value: 'example-value' } } },
})
