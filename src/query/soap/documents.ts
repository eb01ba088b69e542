import type { IHttpClient } from 'soap'
import { Problem } from '../../platform/errors.ts'
import type { CredentialContext } from '../credentials/fields.ts'
import { acceptable, placeOf } from '../fetch/answer.ts'
import { encodingOf } from '../formats/charset.ts'
import { parseXml } from '../formats/xml.ts'
import { checkNames } from './safeNames.ts'

/** Where a WSDL comes from, and what its own host may be shown. */
export interface WsdlSource {
  /** An http address, or the name of a cellar file. */
  readonly location: string
  readonly authorization?: string | undefined
}

/** Documents that one WSDL may consist of. */
const maxDocuments = 100
/** Files of the cellar have addresses while the parser has them: it takes whatever is no http address for a file of this machine. */
const cellarOrigin = 'http://cellar.invalid'

/** Whether a WSDL is somewhere in the web; else it is a file of the cellar. */
export const isAddress = (location: string): boolean => /^https?:\/\//i.test(location)

/** The address of a WSDL as the parser sees it. */
export function addressOf(location: string): string {
  return isAddress(location) ? location : `${cellarOrigin}/${encodeURIComponent(location)}`
}

/** Reads the documents of a WSDL, its imports too, from the world outside and the cellar only. */
export class WsdlDocuments implements IHttpClient {
  readonly #source: WsdlSource
  readonly #context: CredentialContext
  #read = 0

  constructor(source: WsdlSource, context: CredentialContext) {
    this.#source = source
    this.#context = context
  }

  /** The text of one document. */
  async text(url: string): Promise<string> {
    this.#read += 1
    if (this.#read > maxDocuments) {
      throw new Problem('target_unreadable', `The WSDL consists of more than ${maxDocuments} documents; give one that imports fewer.`)
    }
    const text = url.startsWith(`${cellarOrigin}/`) ? await this.#context.outside.cellar.text(fileOf(url)) : await this.#fetch(url)
    checkDocument(text, url)
    return text
  }

  /** What the parser calls for imports; it returns by the callback. */
  request(url: string, _data: unknown, callback: (error: unknown, response?: unknown, body?: unknown) => unknown): never {
    void this.text(url)
      .then((text) => callback(null, { status: 200, data: text }, text))
      .catch((error: unknown) => callback(error))
    return undefined as never // the parser makes no use of it
  }

  async #fetch(url: string): Promise<string> {
    const { outside, signal } = this.#context
    const { authorization, location } = this.#source
    let incoming = await outside.send({ method: 'GET', url }, signal)
    const isRefused = incoming.status === 401 || incoming.status === 403
    // Whoever serves the WSDL names the address that gets the secret, so it may see it too where it asks for it.
    if (isRefused && authorization !== undefined && new URL(url).origin === new URL(addressOf(location)).origin) {
      incoming.discard()
      incoming = await outside.send({ method: 'GET', url, headers: { authorization } }, signal)
    }
    await acceptable(incoming, { acceptStatus: [] })
    const bytes = await incoming.bytes()
    return new TextDecoder(encodingOf(bytes, incoming.headers['content-type'] ?? '', true)).decode(bytes)
  }
}

const fileOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1))

/** The parser does not survive a document that is none, so it gets only those that are sound. */
function checkDocument(text: string, url: string): void {
  const root = Object.keys(read(text, url))[0] ?? ''
  const name = root.slice(root.indexOf(':') + 1)
  if (name !== 'definitions' && name !== 'schema') {
    throw new Problem(
      'target_unreadable',
      `What is at ${shown(url)} is neither a WSDL 1.1 nor a schema: its root element is ${JSON.stringify(root.slice(0, 100))}.`,
    )
  }
  checkNames(text)
}

function read(text: string, url: string): object {
  try {
    return { ...(parseXml(text) as object) } // the reader of XML answers an object, keyed by its root
  } catch (error) {
    throw new Problem('target_unreadable', `The WSDL at ${shown(url)} cannot be read: ${error instanceof Error ? error.message : ''}`)
  }
}

const shown = (url: string): string => (url.startsWith(`${cellarOrigin}/`) ? `${fileOf(url)} in the cellar` : placeOf(url))
