import { Problem } from '../../platform/errors.ts'
import { defineCommand } from '../command.ts'
import { basicAuthorization } from '../credentials/headers.ts'
import { rowsOfData } from '../dataRows.ts'
import { address } from '../fetch/address.ts'
import { checkedValue } from '../fetch/headers.ts'
import { json } from '../jsonParams.ts'
import { filledText, optional } from '../params.ts'
import { callSoap } from '../soap/call.ts'
import { wsdlOf } from '../soap/wsdls.ts'

export const soap = defineCommand({
  name: 'soap',
  kind: 'expand',
  summary: 'Calls one operation of a SOAP service a row',
  args: { request: json('The request, in lenient JSON') },
  flags: {
    wsdl: address('Address or cellar file of the WSDL'),
    method: filledText('The operation to call'),
    endpoint: optional(address('Where to send it, where not to the address in the WSDL')),
    'security.bearer': optional(filledText('A bearer token')),
    'security.basic': optional(filledText('user:password')),
  },
  examples: [
    "soap '{city: \"Bern\"}' --wsdl https://weather.example/?wsdl --method GetWeather",
    "soap '{id: \"$id$\"}' --wsdl service.wsdl --method Read --security.bearer \"$CREDENTIALS.soap$\"",
  ],
  rowsPerJob: 10,
  requests: () => ({ least: 1, most: 2 }),

  async *each(row, { args, flags, context }) {
    const { lookup } = context
    const authorization = authorizationOf(flags['security.bearer']?.(row, lookup), flags['security.basic']?.(row, lookup))
    const wsdl = await wsdlOf({ location: flags.wsdl(row, lookup), authorization }, context)
    const method = flags.method(row, lookup)
    const request = args.request(row, lookup)
    const endpoint = flags.endpoint?.(row, lookup)
    yield* rowsOfData(await callSoap({ wsdl, method, request, endpoint, authorization }, context))
  },
})

function authorizationOf(bearer: string | undefined, basic: string | undefined): string | undefined {
  if (bearer !== undefined) return checkedValue('authorization', `Bearer ${bearer}`)
  if (basic === undefined) return undefined
  const colon = basic.indexOf(':')
  if (colon < 0) throw new Problem('command_failed', 'The value of --security.basic must be user:password; it has no colon.')
  return basicAuthorization(basic.slice(0, colon), basic.slice(colon + 1))
}
