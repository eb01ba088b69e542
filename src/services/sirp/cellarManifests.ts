import type { Static } from 'typebox'
import type { Manifest, ManifestDraft } from '../../contract/sirp/cellarManifests.ts'
import { Prisma, type Manifest as ManifestRow } from '../../platform/prisma/generated/client.ts'
import { oneRow } from '../../platform/prisma/oneRow.ts'
import { atVersion, change, missed } from '../change.ts'
import type { HandlersOf, RequestFacts } from '../handler.ts'
import type { House } from '../house.ts'
import { Records } from '../records.ts'

type Ids = `sirp.cellarManifest.${'list' | 'add' | 'read' | 'delete' | 'touch' | 'touchErrors'}`

interface Columns {
  readonly name: string
  readonly store: string
  readonly type: string
  readonly screenshots: Prisma.InputJsonArray
  readonly attributesContext?: Prisma.InputJsonObject
}

const noun = 'cellar manifest'

/** Cellar manifests: they tie stored content to a store. */
export function cellarManifestHandlers(house: House): HandlersOf<Ids> {
  const manifests = new Records<ManifestRow, Columns, Manifest>(house, { noun, key: 'name', table: (connection) => connection.manifest, stored: oneRow('manifests', Prisma.ManifestScalarFieldEnum), present })
  const taken = (name: string): string => `There is a cellar manifest ${JSON.stringify(name)} already; delete that one or choose another name.`

  return {
    'sirp.cellarManifest.list': ({ query }) => manifests.list(query),
    'sirp.cellarManifest.add': (request) => manifests.create(request, columns(request.body), taken(request.body.name)),
    'sirp.cellarManifest.read': ({ params }) => manifests.read(params.name),
    'sirp.cellarManifest.delete': (request) => manifests.delete(request, request.params.name),
    'sirp.cellarManifest.touch': (request) => touch(house, request, request.params.name, (now) => ({ touchedAt: now })),
    'sirp.cellarManifest.touchErrors': (request) => touch(house, request, request.params.name, (now) => ({ errorCount: { increment: 1 }, errorTouchedAt: now })),
  }
}

/** Notes something on a manifest in one statement, so that no touch is lost among others. */
async function touch(house: House, request: RequestFacts, name: string, note: (now: Date) => Prisma.ManifestUpdateManyMutationInput): Promise<Manifest> {
  const row = await change(house, request, {
    target: name,
    write: async (tx) => {
      const data = { ...note(new Date(house.clock())), version: { increment: 1 } }
      const [touched] = await tx.manifest.updateManyAndReturn({ where: { name, ...atVersion(request) }, data })
      if (!touched) throw missed(noun, name, await tx.manifest.findUnique({ where: { name } }))
      return touched
    },
  })
  return present(row)
}

function columns({ screenshots = [], attributesContext, ...draft }: Static<typeof ManifestDraft>): Columns {
  const references = screenshots.map(([hash, ...others]) => [hash.toLowerCase(), ...others])
  return {
    ...draft,
    // Parsed from a JSON body, so they are JSON through and through.
    screenshots: references as Prisma.InputJsonArray,
    ...(attributesContext === undefined ? {} : { attributesContext }),
  }
}

function present(row: ManifestRow): Manifest {
  return {
    id: row.id,
    name: row.name,
    store: row.store,
    // Only what the schema of the draft has checked is ever written, here and in the two fields below.
    type: row.type as Manifest['type'],
    screenshots: row.screenshots as Manifest['screenshots'],
    attributesContext: row.attributesContext as Manifest['attributesContext'],
    touchedAt: row.touchedAt?.toISOString() ?? null,
    errors: { count: row.errorCount, touchedAt: row.errorTouchedAt?.toISOString() ?? null },
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
