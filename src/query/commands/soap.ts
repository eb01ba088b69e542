import { defineCommand } from '../command.ts'
import { filledText, json, optional } from '../params.ts'

export const soap = defineCommand({
  name: 'soap',
  kind: 'expand',
  summary: 'Calls one operation of a SOAP service a row',
  args: { request: json('The request, in lenient JSON') },
  flags: {
    wsdl: filledText('Address or cellar file of the WSDL'),
    method: filledText('The operation to call'),
    endpoint: optional(filledText('Where to send it, where not to the address in the WSDL')),
    'security.bearer': optional(filledText('A bearer token')),
    'security.basic': optional(filledText('user:password')),
  },
  examples: ["soap '{city: \"Bern\"}' --wsdl https://weather.example/?wsdl --method GetWeather", "soap '{id: \"$id$\"}' --wsdl service.wsdl --method Read --security.bearer \"$CREDENTIALS.soap$\""],
})
