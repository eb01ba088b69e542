import { createHash } from 'node:crypto'
import type { WSDL } from 'soap'
import { Problem } from '../../platform/errors.ts'
import type { CredentialContext } from '../credentials/fields.ts'
import { addressOf, isAddress, WsdlDocuments, type WsdlSource } from './documents.ts'

const keepMs = 5 * 60_000
const maxKept = 50
const kept = new Map<string, { readonly wsdl: WSDL; readonly untilMs: number }>()

/** The parsed WSDL; it is kept for a few minutes, since a stage calls the same one for each of its rows. */
export async function wsdlOf(source: WsdlSource, context: CredentialContext): Promise<WSDL> {
  // A file may be replaced at any time, and is at hand.
  const text = isAddress(source.location) ? '' : await context.outside.cellar.text(source.location)
  const key = createHash('sha256').update(JSON.stringify([source.location, source.authorization, text])).digest('base64')
  const known = kept.get(key)
  if (known && Date.now() < known.untilMs) return known.wsdl
  const wsdl = await loadWsdl(source, context)
  kept.delete(key)
  kept.set(key, { wsdl, untilMs: Date.now() + keepMs })
  const [oldest] = kept.keys()
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest)
  return wsdl
}

async function loadWsdl(source: WsdlSource, context: CredentialContext): Promise<WSDL> {
  const documents = new WsdlDocuments(source, context)
  const address = addressOf(source.location)
  const text = await documents.text(address)
  // A large package, which few workers need.
  const { WSDL } = await import('soap')
  const wsdl = new WSDL(text, address, { httpClient: documents, wsdl_options: { overrideImportLocation: onlyHttp } })
  try {
    await new Promise<void>((resolve, reject) => wsdl.onReady((error: unknown) => (error ? reject(error) : resolve())))
  } catch (error) {
    if (error instanceof Problem) throw error
    const reason = error instanceof Error ? error.message.slice(0, 300) : 'it is broken'
    throw new Problem(
      'target_unreadable',
      `The WSDL ${source.location} cannot be read: ${reason}.`,
    )
  }
  return wsdl
}

/** The parser would read other places as files of this machine. */
function onlyHttp(location: string): string {
  if (/^https?:\/\//i.test(location)) return location
  throw new Problem('target_forbidden', `The WSDL imports ${JSON.stringify(location.slice(0, 200))}, which is no http or https address.`)
}
