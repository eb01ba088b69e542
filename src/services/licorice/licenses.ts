import type { License } from '../../contract/licorice/licenses.ts'
import type { ServiceName } from '../../contract/services.ts'
import type { License as LicenseRow } from '../../platform/prisma/generated/client.ts'
import { change } from '../change.ts'
import type { HandlersOf, RequestFacts } from '../handler.ts'
import type { House } from '../house.ts'
import { pageOf } from '../paging.ts'
import { contentOf, uploadedContent } from './content.ts'
import { licensesInForce } from './inForce.ts'
import { verifyLicense } from './verify.ts'

type Ids = `licorice.license.${'add' | 'upload'}` | 'sirp.service.licenses'

/** Licenses: handed in, checked and kept; the newest valid one is in force. */
export function licenseHandlers(house: House): HandlersOf<Ids> {
  return {
    'licorice.license.add': (request) => add(house, request, async () => contentOf(request.body)),
    'licorice.license.upload': (request) => add(house, request, () => uploadedContent(request.upload, house.env.bodyTimeoutMs)),
    'sirp.service.licenses': async ({ query }) => pageOf(query, await licensesInForce(house)),
  }
}

async function add(house: House, request: RequestFacts, read: () => Promise<string>): Promise<License> {
  const token = await read()
  const { services, ...claims } = await verifyLicense(house, token)
  const id = request.newId
  const data = { ...claims, services: [...services], token, createdAt: new Date(house.clock()) }
  // A repeat of an idempotent request after a crash finds its license stored, and leaves it as it is.
  const row = await change(house, request, {
    target: id,
    write: (tx) => tx.license.upsert({ where: { id }, create: { id, ...data }, update: {} }),
  })
  return present(row)
}

function present(row: LicenseRow): License {
  return {
    id: row.id,
    licensee: row.licensee,
    plan: row.plan,
    services: row.services as ServiceName[], // only known services are ever written
    issuedAt: row.issuedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
