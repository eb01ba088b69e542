import type { IHttpClient } from 'soap'
import { Problem } from '../../platform/errors.ts'
import type { CredentialContext } from '../credentials/fields.ts'
import { placeOf } from '../fetch/answer.ts'
import { encodingOf } from '../formats/charset.ts'
import { maxRowLength } from '../formats/unreadable.ts'
import { faultOf } from './fault.ts'
import { checkNames } from './safeNames.ts'

type Callback = (error: unknown, response?: unknown, body?: unknown) => unknown

/** An answer as the package wants it. */
interface Answer {
  readonly status: number
  readonly headers: object
  readonly data: string
}

/** Sends messages through the world outside, never by the package's own client. */
export class Messages implements IHttpClient {
  readonly #context: CredentialContext
  readonly #isOneWay: boolean
  readonly #fail: (error: unknown) => void

  constructor(context: CredentialContext, isOneWay: boolean, fail: (error: unknown) => void) {
    this.#context = context
    this.#isOneWay = isOneWay
    this.#fail = fail
  }

  request(url: string, data: unknown, callback: Callback, headers: Record<string, string> = {}): never {
    // A callback that throws has no other way to tell.
    void this.#exchange(url, String(data), headers)
      .then((answer) => callback(null, answer, answer.data))
      .catch((error: unknown) => this.#fail(faultOf(error)))
    return undefined as never // the package makes no use of it
  }

  async #exchange(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
    if (!URL.canParse(url)) throw new Problem('command_failed', 'The WSDL names no address for the service; give it with --endpoint.')
    const incoming = await this.#context.outside.send({ method: 'POST', url, headers, body }, this.#context.signal)
    const bytes = await incoming.bytes()
    const data = new TextDecoder(encodingOf(bytes, incoming.headers['content-type'] ?? '', true)).decode(bytes)
    if (data.length > maxRowLength) {
      throw new Problem('target_too_large', `The service answered with more than ${maxRowLength.toLocaleString('en')} characters.`)
    }
    if (incoming.status >= 400 && !/[<:]Fault[\s>/]/.test(data)) {
      throw new Problem('target_status', `The service at ${placeOf(url)} answered with status ${incoming.status}.`)
    }
    if (!this.#isOneWay && !/[<:]Envelope[\s>/]/.test(data)) {
      throw new Problem('target_unreadable', `The answer of ${placeOf(url)} is no SOAP message: it has no envelope.`)
    }
    checkNames(data)
    return { status: incoming.status, headers: incoming.headers, data }
  }
}
