import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import type { OpenedCredential, Outgoing } from '../outside.ts'
import { fieldsOf, unusable } from './fields.ts'

/** The request with a signature of AWS (version 4) over its method, address, headers and body; `at` is for known answers. */
export async function signAws4(credential: OpenedCredential, request: Outgoing, at = new Date()): Promise<Outgoing> {
  const { accessKeyId, secretAccessKey, sessionToken, region, service } = fieldsOf(credential, 'aws4')
  const signer = new AwsV4Signer({
    method: request.method.toUpperCase(),
    url: request.url,
    headers: { ...request.headers },
    ...(request.body === undefined ? {} : { body: request.body }),
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    ...(region === undefined ? {} : { region }),
    ...(service === undefined ? {} : { service }),
    datetime: at.toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
  })
  if (signer.service === '') {
    throw unusable(
      credential,
      `cannot sign for ${signer.url.hostname}: the host does not tell the service; give service (and region) in the credential`,
    )
  }
  // Of S3 the signer would leave the body out of the signature, which only HTTPS allows.
  if (signer.service === 's3' && !hasHeader(request, 'x-amz-content-sha256')) return signAws4(credential, withHash(request), at)
  const { url, headers } = await signer.sign()
  return { ...request, url: url.toString(), headers: Object.fromEntries(headers) }
}

const hasHeader = ({ headers = {} }: Outgoing, name: string): boolean => Object.keys(headers).some((key) => key.toLowerCase() === name)

function withHash(request: Outgoing): Outgoing {
  const hash = createHash('sha256').update(request.body ?? '').digest('hex')
  return { ...request, headers: { ...request.headers, 'x-amz-content-sha256': hash } }
}
