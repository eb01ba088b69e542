import { statusList } from './fetch/statusList.ts'
import { fields } from './jsonParams.ts'
import { boolean, choice, filledText, named, optional, otherwise } from './params.ts'

/** How a command that sends a request identifies itself and connects. */
export const connectionFlags = {
  headers: optional(fields('Headers, in lenient JSON; a header whose value is null is left out')),
  bearer: optional(filledText('A bearer token')),
  'credentials.oauth': optional(named('credential', 'Name of an oauth credential')),
  'credentials.aws4': optional(named('credential', 'Name of an aws4 credential, which signs the request')),
  'credentials.custom': optional(named('credential', 'Name of a custom credential, sent as the Authorization header')),
  'credentials.splunk': optional(named('credential', 'Name of a splunk credential')),
  'credentials.openai': optional(named('credential', 'Name of an openai credential')),
  'credentials.pinecone': optional(named('credential', 'Name of a pinecone credential')),
  'credentials.okta': optional(named('credential', 'Name of an okta credential')),
  'credentials.gcp': optional(named('credential', 'Name of a gcp credential')),
  useragent: optional(filledText('The User-Agent header')),
  verifySSL: otherwise(boolean('Whether the certificate of the other side is verified'), true),
  proxy: optional(filledText('URI of an http, https, socks, socks4, socks5 or pac proxy')),
  followRedirects: otherwise(boolean('Whether redirects are followed'), true),
  acceptStatus: statusList('Statuses of 400 or more that are no error'),
  response: otherwise(boolean('Adds _response.{status,url,ms,headers.*} to every row'), false),
} as const

/** How an answer is read, where its content type does not say it. */
export const serializer = optional(choice('How the answer is read', ['json', 'ndjson', 'xml', 'csv', 'parquet', 'text', 'raw']))
