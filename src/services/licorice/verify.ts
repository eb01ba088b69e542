import { errors, jwtVerify, type JWTPayload } from 'jose'
import { serviceNames, type ServiceName } from '../../contract/services.ts'
import { Problem } from '../../platform/errors.ts'
import type { House } from '../house.ts'
import { readPublicKey } from './publicKey.ts'

/** What a valid license says. */
export interface LicenseClaims {
  readonly licensee: string
  readonly plan: string
  readonly services: readonly ServiceName[]
  readonly issuedAt: Date | null
  readonly expiresAt: Date | null
}

/** Checks that a license is signed by our key and valid now, and answers what it says; throws why it is not valid. */
export async function verifyLicense({ env, clock }: Pick<House, 'env' | 'clock'>, token: string): Promise<LicenseClaims> {
  const key = readPublicKey(env.licensePublicKey)
  try {
    const { payload } = await jwtVerify(token, key, { algorithms: ['EdDSA'], currentDate: new Date(clock()) })
    return claimsOf(payload)
  } catch (error) {
    throw error instanceof errors.JOSEError ? refuse(reasonOf(error)) : error
  }
}

/** A license that is refused, with the reason. */
export const refuse = (reason: string): Problem => new Problem('license_invalid', `The license ${reason}.`)

function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'is not signed with the key of LICENSE_PUBLIC_KEY, or was changed after signing'
  if (error instanceof errors.JOSEAlgNotAllowed) return 'must be signed with the algorithm EdDSA (Ed25519)'
  if (error instanceof errors.JWTExpired) return `expired at ${instantOf(error.payload.exp)}`
  if (!(error instanceof errors.JWTClaimValidationFailed)) return 'is malformed: it must be a compact JWS whose payload is a JSON object'
  return error.reason === 'check_failed' ? `is not valid before ${instantOf(error.payload.nbf)}` : `has a claim ${error.claim} that is no number`
}

/** NumericDate claims count seconds; a number that no calendar holds is shown as it is. */
function instantOf(seconds: number | undefined): string {
  const date = new Date((seconds ?? 0) * 1000)
  return Number.isNaN(date.getTime()) ? `second ${seconds}` : date.toISOString()
}

function claimsOf(payload: JWTPayload): LicenseClaims {
  return {
    licensee: textClaim(payload, payload['licensee'] === undefined ? 'sub' : 'licensee'),
    plan: textClaim(payload, 'plan'),
    services: servicesOf(payload['services']),
    issuedAt: dateClaim(payload, 'iat'),
    expiresAt: dateClaim(payload, 'exp'),
  }
}

function textClaim(payload: JWTPayload, name: 'licensee' | 'sub' | 'plan'): string {
  const value = payload[name]
  if (typeof value === 'string' && /^(?!\s)[^\p{Cc}]{1,1000}(?<!\s)$/u.test(value) && value.isWellFormed()) return value
  throw refuse(`must have a claim ${name === 'sub' ? 'licensee or sub' : name} of 1 to 1000 characters, none of them a control character`)
}

function servicesOf(value: unknown): readonly ServiceName[] {
  if (!Array.isArray(value) || value.length === 0) throw refuse('must have a claim services: a list of service names, or of * for all')
  if (value.length === 1 && value[0] === '*') return serviceNames
  const known = serviceNames.filter((name) => value.includes(name))
  if (known.length === value.length) return known
  throw refuse(`names a service that is not known, or one twice; the services are ${serviceNames.join(', ')}`)
}

/** The last second that an answer can show with a year of four digits. */
const lastSecond = Date.UTC(9999, 11, 31, 23, 59, 59) / 1000

function dateClaim(payload: JWTPayload, name: 'iat' | 'exp'): Date | null {
  const seconds = payload[name]
  if (seconds === undefined) return null
  if (seconds >= 0 && seconds <= lastSecond) return new Date(seconds * 1000)
  throw refuse(`has a claim ${name} beyond the years 1970 to 9999`)
}
