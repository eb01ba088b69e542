import { deviceNamed } from '../../contract/krull/devices.ts'
import { parseProxy } from '../../platform/egress/routes.ts'
import { Problem, type Fault } from '../../platform/errors.ts'
import { syntaxFault } from '../../platform/javascript.ts'

/** The options of browser tasks that can be wrong although their schema allows them. */
export interface CheckedOptions {
  readonly url?: string
  readonly expression?: string | readonly string[]
  readonly device?: string
  readonly wait?: number | string | readonly (number | string)[]
  readonly visible?: boolean
  readonly hidden?: boolean
  readonly proxy?: string
}

/** Refuses what no browser could do, before one is asked; the problem names the field. */
export function checkDraft(draft: CheckedOptions): void {
  const faults = [...addressFaults(draft), ...deviceFaults(draft), ...waitFaults(draft), ...proxyFaults(draft)]
  if (faults.length > 0) throw impossible(faults)
  checkExpressions(draft)
}

function addressFaults({ url }: CheckedOptions): Fault[] {
  if (url === undefined) return []
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return [{ path: '/url', message: 'must be an address that begins with http:// or https:// and names a host' }]
  if (parsed.username !== '' || parsed.password !== '') throw new Problem('target_forbidden', 'The address must not hold a user name or password.')
  return []
}

const deviceFaults = ({ device }: CheckedOptions): Fault[] =>
  device === undefined || deviceNamed(device) ? [] : [{ path: '/device', message: 'must be Desktop or a name from the list of devices' }]

function waitFaults({ visible, hidden }: CheckedOptions): Fault[] {
  return visible && hidden ? [{ path: '/hidden', message: 'must not be set together with visible: no element is both' }] : []
}

function proxyFaults({ proxy }: CheckedOptions): Fault[] {
  if (proxy === undefined) return []
  try {
    parseProxy(proxy)
    return []
  } catch (error) {
    if (error instanceof Problem) return [{ path: '/proxy', message: 'must be a URI such as http://host:8080, socks5://user:password@host:1080 or pac+https://host/proxy.pac' }]
    throw error
  }
}

const plainFunction = /^\s*(?:async\s+)?function\b/

/** An awaited text that is JavaScript, and not a selector. */
const arrowFunction = /^\s*(?:async\b\s*)?(?:\([^()]*\)|[\w$]+)\s*=>/

function checkExpressions({ expression, wait }: CheckedOptions): void {
  const given = typeof expression === 'string' ? [['/expression', expression] as const] : (expression ?? []).map((text, at) => [`/expression/${at}`, text] as const)
  const awaited = (Array.isArray(wait) ? (wait as readonly unknown[]) : [wait]).flatMap((one, at) =>
    typeof one === 'string' && arrowFunction.test(one) ? [[Array.isArray(wait) ? `/wait/${at}` : '/wait', one] as const] : [],
  )
  for (const [path, text] of [...given, ...awaited]) {
    if (plainFunction.test(text)) throw impossible([{ path, message: 'must be an expression or an arrow function, such as () => document.title' }])
    const fault = syntaxFault(text)
    if (fault !== null) throw new Problem('expression_failed', `${path} is no JavaScript: ${fault}.`, { faults: [{ path, message: `must be JavaScript: ${fault}` }] })
  }
}

/** Well formed, and yet impossible: what a schema cannot say. */
function impossible(faults: readonly Fault[]): Problem {
  const [first] = faults
  return new Problem('unprocessable', `${first?.path} ${first?.message}.`, { faults })
}
