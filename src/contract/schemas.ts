import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox'

/** An object that refuses fields it does not know; every schema of a request is built with it. */
export function Closed<const Fields extends TProperties>(fields: Fields, options: object = {}) {
  return Type.Object(fields, { additionalProperties: false, ...options })
}

/** One of a fixed set of words. */
export function OneOf<const Words extends readonly string[]>(words: Words, options: object = {}) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], explain: `must be one of ${words.join(', ')}`, ...options })
}

/** An object whose keys are the user's own. */
export const FreeObject = Type.Unsafe<Record<string, unknown>>({ type: 'object' })

/** Text that no answer ever shows: reads answer `mask` in its place. */
export function SecretText(options: object = {}) {
  return Type.String({ secret: true, minLength: 1, maxLength: 100_000, ...options })
}

/** What stands in an answer where a secret is stored. */
export const mask = '********'

/** A file part of a multipart form. */
export const FormFile = Type.String({ format: 'binary', description: 'A file part.' })

export const Uuid = Type.String({ format: 'uuid', explain: 'must be a UUID, such as 3f0e5b5e-6a34-4c1e-9d4a-0b8a4a3a9a52' })

const nameRules = 'must not be blank, consist of dots only, or begin or end with a space'

/** A name that people give: any characters but control characters. */
export const Label = Type.String({
  minLength: 1,
  maxLength: 1000,
  pattern: '^(?!\\.+$)(?!\\s)[^\\u0000-\\u001f\\u007f]+(?<!\\s)$',
  explain: `must have 1 to 1000 characters without control characters, and ${nameRules}`,
})

/** The name of a cellar file, a manifest or a store. */
export const FileName = Type.String({
  minLength: 1,
  maxLength: 1000,
  pattern: '^(?!\\.+$)(?! )[A-Za-z0-9\\-_. ]+(?<! )$',
  explain: `must have 1 to 1000 characters out of A–Z a–z 0–9 - _ . and space, and ${nameRules}`,
})

export const ById = Closed({ id: Uuid })
export const ByLabel = Closed({ name: Label })
export const ByFileName = Closed({ name: FileName })

export const Instant = Type.String({ format: 'date-time', explain: 'must be an ISO 8601 time, such as 2030-01-31T12:00:00Z' })

/** An instant in an answer, or null where nothing has happened yet. */
export const MaybeInstant = Type.Union([Instant, Type.Null()])

/** Fields that every record has. */
export const Stamps = { id: Uuid, createdAt: Instant, updatedAt: Instant } as const

/** Counts the changes of a record; also its `ETag`, which `If-Match` is compared with. */
export const Version = Type.Integer({ minimum: 1, description: 'Counts the changes of the record; the same number is its ETag.' })

/** How a list is paged. */
export const paging = {
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, description: 'How many items to pass over.' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'How many items to answer at most.' })),
} as const

export const Page = Closed(paging)
export type Page = Static<typeof Page>

/** One page of a list. */
export function ListOf<Item extends TSchema>(item: Item) {
  return Type.Object({ items: Type.Array(item), total: Type.Integer(), offset: Type.Integer(), limit: Type.Integer() })
}

/** The same fields, none of them required. */
export function Patch<Draft extends TObject>(draft: Draft) {
  return Type.Partial(draft, { additionalProperties: false })
}
