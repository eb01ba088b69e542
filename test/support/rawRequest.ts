import type { RunningApi } from './api.ts'

/** The text of a request with the admin key, for a `Wire` to send; a header with the value `null` is left out. */
export function requestText({ adminKey }: RunningApi, line: string, headers: Readonly<Record<string, string | null>> = {}, body = ''): string {
  const all = { 'Host': 'quern', 'Authorization': `svc ${adminKey}`, ...headers }
  const lines = Object.entries(all).filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${value}\n`)
  return `${line} HTTP/1.1\n${lines.join('')}\n${body}`
}

/** The text of a POST with a JSON body. */
export function postText(api: RunningApi, path: string, body: string, headers: Readonly<Record<string, string | null>> = {}): string {
  return requestText(api, `POST ${path}`, { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)), ...headers }, body)
}
