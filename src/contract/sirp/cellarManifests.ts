import { Type, type Static } from 'typebox'
import { defineOperations } from '../define.ts'
import { ByFileName, Closed, FileName, ListOf, MaybeInstant, OneOf, Page, Stamps, Version } from '../schemas.ts'
import { manifestTypeNames } from '../secrets/storeTypes/index.ts'

const hash = 'a3f5c1d2e4b60718293a4b5c6d7e8f90a3f5c1d2e4b60718293a4b5c6d7e8f90'

/** One screenshot that is kept alive: a list that begins with its hash; the items behind it are the user's own. */
const ScreenshotReference = Type.Unsafe<[string, ...unknown[]]>({
  type: 'array',
  prefixItems: [{ type: 'string', pattern: '^[0-9a-fA-F]{64}$' }],
  minItems: 1,
  maxItems: 100,
  explain: 'must be a list of 1 to 100 items that begins with the hash of a screenshot, 64 hexadecimal digits',
  examples: [[hash], [hash, 'front page']],
})

const ColumnName = Type.String({ minLength: 1, maxLength: 10_000 })

/** The name of a renderer for each column that has one; a pattern for its keys would pass over those with line breaks. */
const Renderers = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 1000 },
  description: 'How a column is shown, by its name.',
  examples: [{ url: 'link' }],
})

/** How the columns of stored content are shown; further keys are kept as they are. */
const AttributesContext = Type.Object(
  {
    visible: Type.Optional(Type.Array(ColumnName, { maxItems: 10_000, description: 'Columns that are shown, in this order.' })),
    renderers: Type.Optional(Renderers),
  },
  { additionalProperties: true },
)

/** A manifest as it is added. */
export const ManifestDraft = Closed({
  name: FileName,
  store: Type.With(FileName, { description: 'The store that holds the content; it need not exist yet.' }),
  type: OneOf(manifestTypeNames, { description: 'The type of that store, or `file` for the cellar itself.' }),
  screenshots: Type.Optional(Type.Array(ScreenshotReference, { maxItems: 10_000, description: 'Screenshots to keep alive, each a list that begins with its hash.' })),
  attributesContext: Type.Optional(AttributesContext),
})

/** A manifest as it is answered. */
export const Manifest = Type.Object({
  ...Stamps,
  version: Version,
  name: Type.String(),
  store: Type.String(),
  type: OneOf(manifestTypeNames),
  screenshots: Type.Array(ScreenshotReference),
  attributesContext: Type.Union([AttributesContext, Type.Null()]),
  touchedAt: MaybeInstant,
  errors: Type.Object({ count: Type.Integer({ minimum: 0 }), touchedAt: MaybeInstant }),
})
export type Manifest = Static<typeof Manifest>

/** The operations on manifests, which tie stored content to a store. */
export const cellarManifests = defineOperations({
  'sirp.cellarManifest.list': {
    method: 'GET',
    path: '/v1/sirp/cellar/manifests',
    summary: 'Retrieve all cellar manifests',
    scope: 'cellar:read',
    query: Page,
    reply: { status: 200, body: ListOf(Manifest) },
  },
  'sirp.cellarManifest.add': {
    method: 'POST',
    path: '/v1/sirp/cellar/manifests',
    summary: 'Add a cellar manifest',
    description: 'A name that is taken is a 409. Hashes of screenshots are stored in small letters.',
    scope: 'cellar:write',
    body: ManifestDraft,
    reply: { status: 201, body: Manifest, location: '/v1/sirp/cellar/manifests/:name' },
    example: {
      name: 'headlines',
      store: 'warehouse',
      type: 'sql',
      screenshots: [[hash]],
      attributesContext: { visible: ['title', 'url'], renderers: { url: 'link' } },
    },
  },
  'sirp.cellarManifest.read': {
    method: 'GET',
    path: '/v1/sirp/cellar/manifests/:name',
    summary: 'Retrieve a cellar manifest',
    scope: 'cellar:read',
    params: ByFileName,
    reply: { status: 200, body: Manifest },
  },
  'sirp.cellarManifest.delete': {
    method: 'DELETE',
    path: '/v1/sirp/cellar/manifests/:name',
    summary: 'Delete a cellar manifest',
    description: 'The content itself stays where it is.',
    scope: 'cellar:write',
    params: ByFileName,
    reply: { status: 204 },
  },
  'sirp.cellarManifest.touch': {
    method: 'POST',
    path: '/v1/sirp/cellar/manifests/:name/touch',
    summary: 'Touch a store manifest',
    description: 'Notes that the content was used just now, as `touchedAt`.',
    scope: 'cellar:write',
    params: ByFileName,
    reply: { status: 200, body: Manifest },
  },
  'sirp.cellarManifest.touchErrors': {
    method: 'POST',
    path: '/v1/sirp/cellar/manifests/:name/errors/touch',
    summary: 'Touch a cellar manifest errors',
    description: 'Counts one more failure and notes its time, as `errors`.',
    scope: 'cellar:write',
    params: ByFileName,
    reply: { status: 200, body: Manifest },
  },
})
