import { EgressGuard } from '../../src/platform/egress/guard.ts'
import { openTransport } from '../../src/platform/egress/transport.ts'
import { pause } from '../../src/platform/clock.ts'
import { Problem } from '../../src/platform/errors.ts'
import type { OpenedCredential, Outgoing, Outside } from '../../src/query/outside.ts'

const transport = openTransport(new EgressGuard(['127.0.0.0/8']), { maxBytes: 2 ** 28 })

/** What a test may set of the world outside. */
export interface TestWorld extends Partial<Outside> {
  readonly credentials?: Iterable<OpenedCredential>
  /** Hears of each request before it leaves. */
  readonly onSend?: (request: Outgoing) => void
}

/** A world outside that really sends, to loopback servers; parts that a test does not give fail when they are used. */
export function openOutside({ credentials = [], onSend, ...parts }: TestWorld = {}): Outside {
  const byName = new Map(Array.from(credentials, (credential) => [credential.name, credential]))
  const real: Partial<Outside> = {
    send: async (request, signal) => {
      onSend?.(request)
      return transport.send(request, { signal })
    },
    credential: async (name) => {
      const found = byName.get(name)
      if (!found) throw new Problem('not_found', `There is no credential ${name}.`)
      return found
    },
    rest: pause,
    ...parts,
  }
  return new Proxy(real as Outside, {
    get(target, part, receiver) {
      if (!(part in target)) throw new Error(`this test gives no ${String(part)}`)
      return Reflect.get(target, part, receiver) as unknown
    },
  })
}

/** A credential in clear. */
export const credential = (name: string, type: string, values: Readonly<Record<string, unknown>>): OpenedCredential => ({ name, type, values, version: 1 })
