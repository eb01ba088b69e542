import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The key and certificate of a server, as PEM. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

/** Makes a self-signed certificate for a name. */
export async function selfSigned(name: string): Promise<Certificate> {
  const dir = await mkdtemp(join(tmpdir(), 'certificate-'))
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')]
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  await promisify(execFile)('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', cert])
  const made = { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
  await rm(dir, { recursive: true })
  return made
}
