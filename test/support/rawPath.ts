import { request } from 'node:http'
import type { RunningApi } from './api.ts'

/** What a raw request was answered. */
export interface RawAnswer {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Sends a request to a path exactly as it is spelled; `fetch` would resolve dots before sending. */
export function sendPath({ url, adminKey }: RunningApi, method: string, path: string, body?: unknown): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  const headers = { Authorization: `svc ${adminKey}`, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) }
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        const text = Buffer.concat(parts).toString()
        resolve({ status: response.statusCode ?? 0, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> })
      })
    })
    sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })
}
