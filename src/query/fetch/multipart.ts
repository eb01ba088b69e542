import { Blob } from 'node:buffer'
import { Problem } from '../../platform/errors.ts'
import type { RequestBody } from './requestBody.ts'

/** Parts of a multipart form: names to a value, a `{value or base64, filename, contentType}`, or a list of these; null is left out. */
export async function multipartBody(parts: unknown): Promise<RequestBody> {
  const form = new FormData()
  for (const [name, given] of Object.entries(parts ?? {})) {
    for (const part of Array.isArray(given) ? (given as unknown[]) : [given]) addPart(form, name, part)
  }
  const encoded = new Response(form)
  return { body: new Uint8Array(await encoded.arrayBuffer()), contentType: encoded.headers.get('content-type') ?? '' }
}

function addPart(form: FormData, name: string, part: unknown): void {
  if (part === null || part === undefined) return
  if (typeof part !== 'object') return form.append(name, String(part))
  const { value, base64, filename, contentType, ...others } = part as Readonly<Record<string, unknown>> // it is an object
  const [unknown] = Object.keys(others)
  if (unknown !== undefined || (value === undefined) === (base64 === undefined)) throw misshapen(name)
  const content = base64 === undefined ? scalar(name, value) : bytesOf(name, base64)
  if (typeof content === 'string' && filename === undefined && contentType === undefined) return form.append(name, content)
  const blob = new Blob([content], { type: contentType === undefined ? '' : scalar(name, contentType) })
  form.append(name, blob, filename === undefined ? name : scalar(name, filename))
}

function scalar(name: string, value: unknown): string {
  if (typeof value === 'object' && value !== null) throw misshapen(name)
  return value === null ? '' : String(value)
}

function bytesOf(name: string, text: unknown): Buffer {
  const written = scalar(name, text).replaceAll(/\s/g, '')
  if (!/^[\w+/-]*={0,2}$/.test(written)) throw new Problem('unprocessable', `The part ${JSON.stringify(name)} of --multipart has a base64 that is not base64.`)
  return Buffer.from(written, 'base64')
}

const shape = 'a text, a number, a boolean, or an object of value or base64, and filename and contentType where they are needed'

const misshapen = (name: string): Problem => new Problem('unprocessable', `The part ${JSON.stringify(name)} of --multipart must be ${shape}.`)
