import type { Client, WSDL } from 'soap'
import { Problem } from '../../platform/errors.ts'
import type { CredentialContext } from '../credentials/fields.ts'
import { faultOf } from './fault.ts'
import { Messages } from './messages.ts'

/** One call of an operation. */
export interface SoapCall {
  readonly wsdl: WSDL
  readonly method: string
  readonly request: unknown
  readonly endpoint?: string | undefined
  readonly authorization?: string | undefined
}

const soap11 = 'http://schemas.xmlsoap.org/wsdl/soap/'
const soap12 = 'http://schemas.xmlsoap.org/wsdl/soap12/'

type Invoke = (request: unknown, done: (error: unknown, result: unknown) => void, options: object, headers: object) => void

/** Calls an operation of a SOAP service; what it answers is plain data, its faults are problems. */
export async function callSoap(call: SoapCall, context: CredentialContext): Promise<unknown> {
  const { wsdl, method, request, endpoint, authorization } = call
  const { service, port, isOneWay } = portOf(wsdl, method)
  const { Client } = await import('soap')
  const found = await new Promise<unknown>((resolve, reject) => {
    const client = new Client(wsdl, endpoint, { httpClient: new Messages(context, isOneWay, reject), forceSoap12Headers: isSoap12(wsdl) })
    const done = (error: unknown, result: unknown): void => (error ? reject(faultOf(error)) : resolve(result))
    try {
      operationOf(client, service, port, method)(request, done, {}, authorization === undefined ? {} : { Authorization: authorization })
    } catch (error) {
      const reason = error instanceof Error ? error.message.slice(0, 300) : 'it cannot be written as XML'
      reject(new Problem('command_failed', `The request does not fit the operation ${method}: ${reason}.`))
    }
  })
  return plain(found)
}

const operationOf = (client: Client, service: string, port: string, method: string): Invoke => {
  const ports = client[service] as Readonly<Record<string, Readonly<Record<string, Invoke>>>> // as the package builds it of the WSDL
  const invoke = ports[port]?.[method]
  if (!invoke) throw new Error(`${method} has no port`)
  return invoke
}

/** The first port that has the operation: services list the SOAP 1.1 one before their others. */
function portOf({ definitions }: WSDL, method: string): { service: string; port: string; isOneWay: boolean } {
  const known = new Set<string>()
  for (const [service, { ports }] of Object.entries(definitions.services ?? {})) {
    for (const [port, { binding }] of Object.entries(ports)) {
      if (Object.hasOwn(binding.methods, method)) return { service, port, isOneWay: !binding.methods[method]?.output }
      for (const name of Object.keys(binding.methods)) known.add(name)
    }
  }
  const names = [...known].slice(0, 50).join(', ')
  throw new Problem('command_failed', `The WSDL has no operation ${JSON.stringify(method)}; it has ${names === '' ? 'none at all' : names}.`)
}

function isSoap12({ definitions }: WSDL): boolean {
  const spaces = new Set(Object.values(definitions.xmlns ?? {}))
  return spaces.has(soap12) && !spaces.has(soap11)
}

/** Dates become text, and whatever is no data is dropped. */
function plain(result: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(result ?? {})) as unknown
  } catch {
    throw new Problem('target_unreadable', 'The answer of the service refers to itself, and so is no data.')
  }
}
