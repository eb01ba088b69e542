import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Governor } from '../../src/governor/governor.ts'
import type { Permit } from '../../src/governor/permit.ts'
import { pause } from '../../src/platform/clock.ts'

const agent = new Agent({ keepAlive: false })

/** Sends one request as soon as the governor lets it, looking again only when it is told to; false where the time ran out before. */
export async function sendWhenAllowed(governor: Governor, host: string, id: string, url: string, signal?: AbortSignal): Promise<boolean> {
  const isOver = (): boolean => signal?.aborted ?? false
  while (!isOver()) {
    const answer = await governor.take(host, { id })
    if (!answer.go) {
      await pause(answer.waitMs ?? 1_000, signal)
    } else if (answer.fresh()) {
      await send(url, answer)
      return true
    } else {
      answer.release()
    }
  }
  await governor.leave(host, { id })
  return false
}

/** Tells the permit what becomes of the request: the bytes have left, the answer has begun. */
function send(url: string, permit: Permit): Promise<string> {
  return new Promise((done, fail) => {
    const outgoing = request(url, { agent }, (response) => {
      permit.answered()
      done(text(response))
    })
    outgoing.once('finish', () => permit.sent()).once('error', fail).end()
  })
}
