import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { LicenseDraft, maxLicenseBytes } from '../../contract/licorice/licenses.ts'
import { readBytes, type ArrivalBounds } from '../../platform/arrival.ts'
import { invalid, invalidField, Problem, type Fault } from '../../platform/errors.ts'
import { readParts } from '../../platform/multipart.ts'
import { pointerTo } from '../../platform/pointer.ts'
import { refuse } from './verify.ts'

const filePart = 'licenseKey'
/** A JSON body around the largest license, even if every character of it is escaped, and its other fields. */
const maxJsonBytes = 8 * maxLicenseBytes

/** The signed text of a license that came as JSON. */
export function contentOf({ licenseKey: { content, encoding = 'utf8' } }: LicenseDraft): string {
  if (content === undefined) throw refuse('is missing: put its signed text into licenseKey.content')
  if (encoding === 'utf8') return content.trim()
  if (!/^[A-Za-z0-9+/_\-\s]*={0,2}\s*$/.test(content)) throw refuse('is not written in base64, as licenseKey.encoding says')
  return Buffer.from(content, 'base64').toString().trim()
}

/** The signed text of a license that is uploaded, as a file or as JSON. */
export async function uploadedContent(request: IncomingMessage, timeoutMs: number): Promise<string> {
  const isForm = request.headers['content-type']?.trimStart().toLowerCase().startsWith('multipart/')
  const within = (maxBytes: number): ArrivalBounds => ({ maxBytes, idleMs: timeoutMs, deadlineMs: timeoutMs })
  return isForm ? fileContent(request, within(maxLicenseBytes)) : contentOf(parseDraft(await readBytes(request, within(maxJsonBytes))))
}

async function fileContent(request: IncomingMessage, bounds: ArrivalBounds): Promise<string> {
  let content: string | undefined
  const fields = await readParts(request, bounds, async ({ field, stream }) => {
    if (field !== filePart) throw invalid([unknownField('', field)])
    content = await text(stream)
  })
  if (fields.has(filePart)) throw invalidField(`/${filePart}`, 'must be a file part, with a filename')
  if (fields.size > 0) throw invalid([...fields.keys()].map((name) => unknownField('', name)))
  if (content === undefined) throw invalidField(`/${filePart}`, 'is required')
  return content.trim()
}

const draft = Compile(LicenseDraft)

function parseDraft(bytes: Buffer): LicenseDraft {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString())
  } catch {
    throw new Problem('malformed_json', 'The body is not valid JSON.')
  }
  if (draft.Check(value)) return value
  throw invalid(draft.Errors(value).flatMap(faultsOf))
}

function faultsOf(error: TLocalizedValidationError): Fault[] {
  const { instancePath: path, message } = error
  if (error.keyword === 'required') return error.params.requiredProperties.map((name) => ({ path: pointerTo(path, name), message: 'is required' }))
  if (error.keyword === 'additionalProperties') return error.params.additionalProperties.map((name) => unknownField(path, name))
  if (error.keyword === 'enum') return [{ path, message: `must be one of ${error.params.allowedValues.join(', ')}` }]
  return error.keyword === 'boolean' ? [] : [{ path, message }] // the additionalProperties error of the parent names the field
}

const unknownField = (path: string, name: string): Fault => ({ path: pointerTo(path, name), message: 'is not a known field' })
