import { send } from '../../src/client/index.ts'
import type { CellarFile } from '../../src/contract/sirp/cellarFiles.ts'
import type { RunningApi } from './api.ts'

/** Where files are uploaded. */
export const filesPath = '/v1/sirp/cellar/files'

/** Names that a cellar file or manifest may have. */
export const goodFileNames = ['a', 'A-1_b.c d', '..a', 'a..', '.csv', '-', '_', 'constructor', '__proto__', 'export', 'content', 'touch', 'x'.repeat(1000)]

/** What no name of a cellar file or manifest may be. */
export const badFileNames = ['', ' ', '.', '..', '...', ' a', 'a ', 'a/b', 'a\\b', 'a%2fb', 'ä', '名', '😀', 'a\u0000b', 'a\n', 'a\tb', 'a:b', 'a*', 'x'.repeat(1001)]

/** Names in a path, as they are spelled there, that no file or manifest may have. */
export const badPathNames = ['.', '..', '%2e', '%2e%2E', '%20', '%20a', 'a%20', 'a%2fb', 'a%5cb', '%c3%a4', 'a%0a', 'x'.repeat(1001)]

/** The JSON form of an upload. */
export const uploadBody = (name: unknown, content: unknown) => ({ name: { value: name }, content: { value: content } })

/** Uploads a text as JSON. */
export function uploadText(api: RunningApi, name: string, content: string, query: Record<string, string> = {}): Promise<Response> {
  return send({ baseUrl: api.url, apiKey: api.adminKey }, 'sirp.cellarFile.upload', { body: uploadBody(name, content), query })
}

/** Uploads a body exactly as it is written. */
export function uploadRaw(api: RunningApi, body: string | Uint8Array | FormData, headers: Record<string, string> = { 'Content-Type': 'application/json' }, query = ''): Promise<Response> {
  return fetch(`${api.url}${filesPath}${query}`, { method: 'POST', headers: { Authorization: `svc ${api.adminKey}`, ...headers }, body })
}

/** A form with a name and one file. */
export function formOf(name: string | undefined, content: string | Uint8Array<ArrayBuffer>, type = ''): FormData {
  const form = new FormData()
  if (name !== undefined) form.append('name', name)
  form.append('content', new Blob([content], { type }), 'upload')
  return form
}

/** Uploads bytes as a form. */
export function uploadForm(api: RunningApi, form: FormData, query = ''): Promise<Response> {
  return uploadRaw(api, form, {}, query)
}

/** Uploads a text that a test starts from. */
export async function keepText(api: RunningApi, name: string, content: string, query: Record<string, string> = {}): Promise<CellarFile> {
  return kept(await uploadText(api, name, content, query))
}

/** Uploads bytes that a test starts from. */
export async function keepBytes(api: RunningApi, name: string, content: string | Uint8Array<ArrayBuffer>, type?: string, query = ''): Promise<CellarFile> {
  return kept(await uploadForm(api, formOf(name, content, type), query))
}

async function kept(response: Response): Promise<CellarFile> {
  if (response.status !== 201) throw new Error(`the file was not kept: ${await response.text()}`)
  return (await response.json()) as CellarFile
}

/** How many contents and chunks the database holds. */
export async function countContents({ house }: RunningApi): Promise<{ contents: number; chunks: number }> {
  const [contents, chunks] = await Promise.all([house.db.cellarContent.count(), house.db.cellarChunk.count()])
  return { contents, chunks }
}

/** The bytes of a file as they come back. */
export async function contentOf(api: RunningApi, name: string): Promise<Buffer> {
  const response = await send({ baseUrl: api.url, apiKey: api.adminKey }, 'sirp.cellarFile.content', { params: { name } })
  if (response.status !== 200) throw new Error(`the file was not sent: ${await response.text()}`)
  return Buffer.from(await response.arrayBuffer())
}
