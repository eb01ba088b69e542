import { get } from 'node:http'
import { pause } from '../../src/platform/clock.ts'

/** Waits until the API says that it is ready to work; true when it does, false when the bound has passed or the signal came. */
export async function waitForReady(address: string, boundMs: number, signal: AbortSignal): Promise<boolean> {
  const untilMs = Date.now() + boundMs
  while (!signal.aborted && Date.now() < untilMs) {
    if ((await askStatus(`${address}/readyz`)) === 200) return true
    await pause(100, signal)
  }
  return false
}

function askStatus(url: string): Promise<number | null> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false, timeout: 2_000 }, (response) => {
      response.resume()
      resolve(response.statusCode ?? null)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(null))
  })
}
