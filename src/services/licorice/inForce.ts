import { serviceNames, type ServiceName } from '../../contract/services.ts'
import type { ServiceLicense } from '../../contract/sirp/services.ts'
import { Problem } from '../../platform/errors.ts'
import type { House } from '../house.ts'
import { verifyLicense, type LicenseClaims } from './verify.ts'

/** The license that everybody has, for every service that no other one covers. */
const community = { plan: 'community', licensee: 'community', expiresAt: null, source: 'community' } as const

/** The license in force for each service: the newest one that is valid now and names it, else the community license. */
export async function licensesInForce(house: House): Promise<ServiceLicense[]> {
  const covered = new Map<ServiceName, LicenseClaims>()
  for (const claims of await validLicenses(house)) {
    for (const service of claims.services) if (!covered.has(service)) covered.set(service, claims)
  }
  return serviceNames.map((service) => ({ service, licensed: true, ...terms(covered.get(service)) }))
}

function terms(claims: LicenseClaims | undefined): Pick<ServiceLicense, 'plan' | 'licensee' | 'expiresAt' | 'source'> {
  if (!claims) return community
  return { plan: claims.plan, licensee: claims.licensee, expiresAt: claims.expiresAt?.toISOString() ?? null, source: 'license' }
}

/** Licenses that hold now, newest first. Each signature is checked again: the key may have been replaced since the license was stored. */
async function validLicenses(house: House): Promise<LicenseClaims[]> {
  const rows = await house.db.license.findMany({
    where: { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date(house.clock()) } }] },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    select: { token: true },
    distinct: ['token'],
  })
  const checked = await Promise.all(rows.map(({ token }) => verifyLicense(house, token).catch(nullIfRefused)))
  return checked.filter((claims) => claims !== null)
}

function nullIfRefused(error: unknown): null {
  if (error instanceof Problem && error.code === 'license_invalid') return null
  throw error
}
