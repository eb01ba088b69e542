import { createHmac } from 'node:crypto'
import { Problem } from '../../platform/errors.ts'
import { secretValueOf } from '../credentials/secretValue.ts'
import type { CredentialContext } from '../credentials/fields.ts'
import type { Batch } from '../rows.ts'
import { acceptable } from './answer.ts'

/** Where rows are sent, and the credential that signs them. */
export interface Webhook {
  readonly url: string
  readonly secret: string | undefined
}

/** Longest body of one request. */
const maxBodyBytes = 64 * 2 ** 20

/** POSTs a JSON text; the signature is over these very bytes. */
export async function post({ url, secret }: Webhook, text: string, { outside, signal }: CredentialContext): Promise<void> {
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) {
    throw new Problem('unprocessable', 'The address of the webhook must begin with http:// or https:// and name a host.')
  }
  const body = Buffer.from(text)
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  if (secret !== undefined) headers['x-signature'] = signatureOf(body, secretValueOf(await outside.credential(secret)))
  const incoming = await outside.send({ method: 'POST', url, headers, body }, signal)
  await acceptable(incoming, { acceptStatus: [] })
  incoming.discard()
}

const signatureOf = (body: Buffer, secret: string): string => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** Rows that are put together to one JSON list, within a bound. */
export class JsonList {
  readonly batches: Batch[] = []
  #text = ''

  get isEmpty(): boolean {
    return this.#text === ''
  }

  get text(): string {
    return `[${this.#text}]`
  }

  add(batch: Batch): void {
    this.batches.push(batch)
    for (const row of batch) {
      this.#text += `${this.#text === '' ? '' : ','}${JSON.stringify(row)}`
      if (this.#text.length > maxBodyBytes) throw tooLong()
    }
  }
}

function tooLong(): Problem {
  const limit = `${maxBodyBytes.toLocaleString('en')} characters`
  return new Problem(
    'command_failed',
    `The rows are together longer than ${limit}, the most that one request of notify holds; leave out --batch to send each row by itself.`,
  )
}
