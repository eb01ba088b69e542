import { Type, type Static, type TObject, type TSchema } from 'typebox'
import { Closed, FreeObject } from '../schemas.ts'

/** One type of credential or store: what forms show, what bodies are checked against, and a config that works. */
export interface TypeEntry<Schema extends TSchema = TSchema> {
  readonly title: string
  readonly summary: string
  /** The whole `config` of a body of this type. */
  readonly schema: Schema
  readonly example: Static<Schema>
}

/** Everything that is known of a set of types, by their names. */
export type TypeRegistry = Readonly<
  Record<string, { readonly title: string; readonly summary: string; readonly schema: TObject; readonly example: unknown }>
>

/** The bodies that a registry admits: each type with the config of that type. */
export type DraftOf<Registry extends TypeRegistry> = {
  [Name in keyof Registry & string]: { type: Name; config: Static<Registry[Name]['schema']> }
}[keyof Registry & string]

/** The names of a registry's types, in the order in which it lists them. */
export function namesOf<Registry extends TypeRegistry>(registry: Registry): readonly (keyof Registry & string)[] {
  return Object.keys(registry)
}

/** The schema of a body: one closed branch a type; `discriminator` lets the edge report the errors of the branch that was meant. */
export function unionByType<Registry extends TypeRegistry>(registry: Registry) {
  const branches = Object.entries(registry).map(([type, { title, schema }]) =>
    Closed(
      { type: Type.Literal(type, { description: title }), config: schema },
      { title, examples: [{ type, config: registry[type]?.example }] },
    ),
  )
  const explain = `must have a type, one of ${namesOf(registry).join(', ')}, and a config of that type`
  return Type.Unsafe<DraftOf<Registry>>(Type.Union(branches, { discriminator: { propertyName: 'type' }, explain }))
}

/** What a schema operation answers about one type. */
export const TypeSchema = Type.Object({
  type: Type.String(),
  title: Type.String(),
  summary: Type.String(),
  schema: Type.With(FreeObject, { description: 'JSON Schema of `config`; fields with `secret: true` are never shown by a read.' }),
})
