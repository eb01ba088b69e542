import { randomText } from '../../../src/platform/ids.ts'
import { mask } from '../../../src/contract/schemas.ts'
import type { TypeRegistry } from '../../../src/contract/secrets/typeRegistry.ts'
import { fieldsOf } from '../../contract/schemaFields.ts'

/** A config with a text of its own in every secret field, and those texts. */
export interface FilledConfig {
  readonly config: Record<string, unknown>
  readonly secrets: readonly string[]
}

/** Puts a text that occurs nowhere else into every field of a type that is secret, whether its example has the field or not. */
export function fillSecrets({ schema, example }: TypeRegistry[string]): FilledConfig {
  const config = structuredClone(example) as Record<string, unknown>
  const paths = fieldsOf(schema).filter(({ node }) => node.secret).map(({ path }) => path.slice(1).split('/'))
  const secrets = paths.map(() => `canary-${randomText(18)}`)
  for (const [index, steps] of paths.entries()) put(config, steps, secrets[index] ?? '')
  return { config, secrets }
}

function put(config: Record<string, unknown>, steps: readonly string[], text: string): void {
  const name = steps.at(-1) ?? ''
  const parent = steps.slice(0, -1).reduce<Record<string, unknown>>((node, step) => (node[step] ??= {}) as Record<string, unknown>, config)
  parent[name] = text
  // A private key goes with its certificate.
  if (steps.at(-2) === 'tls') Object.assign(parent, { enabled: true, cert: 'a certificate' })
}

/** The JSON that a read answers for a config: these texts masked, and nothing else changed, the order of fields neither. */
export function maskedText({ config, secrets }: FilledConfig): string {
  return secrets.reduce((text, secret) => text.replaceAll(secret, mask), JSON.stringify(config))
}
