import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { signAws4 } from '../../../src/query/credentials/aws4.ts'
import { credential } from '../../support/outside.ts'

const documented = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', region: 'us-east-1', service: 'service' }
const at = new Date('2015-08-30T12:36:00Z')

describe('the signature of AWS', () => {
  test.for([
    ['GET', 'https://example.amazonaws.com/', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
    ['GET', 'https://example.amazonaws.com/?Param2=value2&Param1=value1', 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500'],
    ['POST', 'https://example.amazonaws.com/', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  ] as const)('of %s %s is the documented one', async ([method, url, signature]) => {
    const { headers } = await signAws4(credential('a', 'aws4', documented), { method, url }, at)
    expect(headers).toMatchObject({
      'x-amz-date': '20150830T123600Z',
      authorization: `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
    })
  })

  test('for S3 is over the body, and region and service are told from the host', async () => {
    const values = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' }
    const request = { method: 'GET', url: 'https://examplebucket.s3.amazonaws.com/?lifecycle' }
    const { headers } = await signAws4(credential('a', 'aws4', values), request, new Date('2013-05-24T00:00:00Z'))
    expect(headers?.['authorization']).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    )
  })

  test('covers body, session token and headers, as computed by hand', async () => {
    const values = { ...documented, sessionToken: 'session', region: 'eu-central-1', service: 'execute-api' }
    const request = { method: 'POST', url: 'http://127.0.0.1:8080/a%20b?x=1', headers: { 'content-type': 'application/json', 'x-own': 'v' }, body: '{"n":1}' }
    const signed = await signAws4(credential('a', 'aws4', values), request, at)
    const names = 'host;x-amz-date;x-amz-security-token;x-own'
    const canonical = ['POST', '/a%2520b', 'x=1', 'host:127.0.0.1:8080', 'x-amz-date:20150830T123600Z', 'x-amz-security-token:session', 'x-own:v', '', names, sha256('{"n":1}')].join('\n')
    const text = ['AWS4-HMAC-SHA256', '20150830T123600Z', '20150830/eu-central-1/execute-api/aws4_request', sha256(canonical)].join('\n')
    const key = ['20150830', 'eu-central-1', 'execute-api', 'aws4_request'].reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${documented.secretAccessKey}`)
    expect(signed.headers?.['authorization']).toContain(`SignedHeaders=${names}, Signature=${hmac(key, text).toString('hex')}`)
    expect(signed).toMatchObject({ url: request.url, body: request.body, headers: { 'content-type': 'application/json', 'x-amz-security-token': 'session' } })
  })

  test('needs a service that the host does not tell', async () => {
    const { service: _service, ...values } = documented
    const signing = signAws4(credential('a', 'aws4', values), { method: 'GET', url: 'https://api.example/' })
    await expect(signing).rejects.toMatchObject({ code: 'command_failed', message: expect.stringContaining('give service') })
  })
})

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
