import { generateKeyPairSync } from 'node:crypto'
import { describe, expect } from 'vitest'
import { serviceNames } from '../../src/contract/services.ts'
import { forgeLicense, licenseBody, secondsFromNow, signLicense, test } from './licenses.ts'

/** What both operations do with a license that comes as JSON. */
export function describeLicenseAdding(id: 'licorice.license.add' | 'licorice.license.upload'): void {
  describe(id, () => {
    test('answers 201 with what the license says, and never with its text', async ({ hand }) => {
      const [iat, exp] = [secondsFromNow(-60), secondsFromNow(3_600)]
      const token = await signLicense({ iat, exp, nbf: iat, jti: 'ignored' })
      const response = await hand(id, licenseBody(token, { fieldname: 'licenseKey', encoding: 'utf8', mimetype: 'text/plain' }))
      const text = await response.text()
      expect(response.status).toBe(201)
      expect(JSON.parse(text)).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        licensee: 'Acme',
        plan: 'team',
        services: ['sirp', 'krull'],
        issuedAt: new Date(iat * 1000).toISOString(),
        expiresAt: new Date(exp * 1000).toISOString(),
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      })
      expect(response.headers.get('location')).toBe('/v1/sirp/services/license')
      expect(text).not.toContain(token.split('.')[1])
    })

    test('takes a license for all services, without dates, whose licensee is its subject', async ({ hand }) => {
      const token = await signLicense({ licensee: undefined, sub: 'Büro 😀', services: ['*'] })
      expect(await (await hand(id, licenseBody(token))).json()).toMatchObject({ licensee: 'Büro 😀', services: serviceNames, issuedAt: null, expiresAt: null })
    })

    test('takes base64, also in lines, and space around the text', async ({ hand }) => {
      const token = await signLicense()
      const base64 = Buffer.from(`${token}\n`).toString('base64')
      const contents = [{ content: `\n ${token}\r\n` }, { content: base64, encoding: 'base64' }, { content: `${base64.replaceAll(/(.{76})/g, '$1\n')}\n`, encoding: 'base64' }]
      for (const fields of contents) expect((await hand(id, { licenseKey: fields })).status).toBe(201)
    })

    const stranger = generateKeyPairSync('ed25519').privateKey
    test.for<[string, () => Promise<string> | string, RegExp]>([
      ['without content', () => '', /malformed/],
      ['that is no token', () => 'hello', /malformed/],
      ['of dots', () => '..', /malformed/],
      ['of strange characters', () => 'ä.ö.ü', /malformed/],
      ['of five parts', () => 'a.b.c.d.e', /malformed/],
      ['whose payload is no object', () => `${Buffer.from('{"alg":"EdDSA"}').toString('base64url')}.MQ.AAAA`, /malformed|not signed/],
      ['that somebody else signed', () => signLicense({}, stranger), /not signed with the key of LICENSE_PUBLIC_KEY/],
      ['that was changed after signing', async () => (await signLicense()).replace(/\.[^.]+\./, `.${Buffer.from('{"licensee":"Me","plan":"all","services":["*"]}').toString('base64url')}.`), /not signed/],
      ['whose signature is cut', async () => (await signLicense()).slice(0, -4), /not signed|malformed/],
      ['of the algorithm none', () => forgeLicense({ alg: 'none' }), /EdDSA|malformed/],
      ['of no algorithm', () => forgeLicense({}), /malformed/],
      ['signed with the public key as a secret', () => forgeLicense({ alg: 'HS256' }), /must be signed with the algorithm EdDSA/],
      ['with an unknown critical header', () => forgeLicense({ alg: 'EdDSA', crit: ['x'], x: 1 }), /malformed/],
      ['that has expired', () => signLicense({ exp: 1_000_000_000 }), /expired at 2001-09-09T01:46:40.000Z/],
      ['that expires this second', () => signLicense({ exp: secondsFromNow(0) }), /expired at/],
      ['that is not valid yet', () => signLicense({ nbf: 4_000_000_000 }), /not valid before 2096-10-02T07:06:40.000Z/],
      ['with a date that is text', () => signLicense({ exp: 'tomorrow' }), /claim exp that is no number/],
      ['with a date beyond all calendars', () => signLicense({ exp: 1e300 }), /claim exp beyond the years/],
      ['with a beginning beyond all calendars', () => signLicense({ nbf: 1e300 }), /not valid before second 1e\+300/],
      ['issued before all time', () => signLicense({ iat: -1 }), /claim iat beyond the years/],
      ['without a licensee', () => signLicense({ licensee: undefined }), /claim licensee or sub/],
      ['with a licensee that is no text', () => signLicense({ licensee: 7 }), /claim licensee/],
      ['with an unprintable licensee', () => signLicense({ licensee: 'a\u0000b' }), /claim licensee/],
      ['with half a character', () => signLicense({ licensee: '\ud83d' }), /claim licensee|malformed/],
      ['without a plan', () => signLicense({ plan: undefined }), /claim plan/],
      ['with a plan that is too long', () => signLicense({ plan: 'x'.repeat(1001) }), /claim plan/],
      ['without services', () => signLicense({ services: undefined }), /claim services/],
      ['with no services', () => signLicense({ services: [] }), /claim services/],
      ['with a service that does not exist', () => signLicense({ services: ['sirp', 'toString'] }), /not known/],
      ['with a star among services', () => signLicense({ services: ['*', 'sirp'] }), /not known/],
      ['with a service twice', () => signLicense({ services: ['sirp', 'sirp'] }), /one twice/],
    ])('refuses a license %s with the reason, and replaces nothing', async ([, make, reason], { api, hand }) => {
      const before = await api.house.db.license.count()
      const response = await hand(id, licenseBody(await make()))
      const problem = (await response.json()) as { code: string; detail: string }
      expect({ status: response.status, code: problem.code }).toEqual({ status: 422, code: 'license_invalid' })
      expect(problem.detail).toMatch(reason)
      expect(await api.house.db.license.count()).toBe(before)
    })

    test('says what is missing where no content came, or none that is base64', async ({ hand }) => {
      for (const licenseKey of [{}, { filename: 'a', fieldname: '', mimetype: '' }]) {
        const response = await hand(id, { licenseKey })
        expect(response.status).toBe(422)
        expect(await response.json()).toMatchObject({ code: 'license_invalid', detail: 'The license is missing: put its signed text into licenseKey.content.' })
      }
      const response = await hand(id, { licenseKey: { content: '<license>', encoding: 'base64' } })
      expect(await response.json()).toMatchObject({ code: 'license_invalid', detail: expect.stringContaining('base64') })
    })

    test.for<[unknown, string]>([
      [{}, '/licenseKey'],
      [{ licenseKey: 'eyJ' }, '/licenseKey'],
      [{ licenseKey: null }, '/licenseKey'],
      [{ licenseKey: { content: 1 } }, '/licenseKey/content'],
      [{ licenseKey: { encoding: 'latin1' } }, '/licenseKey/encoding'],
      [{ licenseKey: { filename: 'x'.repeat(1001) } }, '/licenseKey/filename'],
      [{ licenseKey: { fieldname: null } }, '/licenseKey/fieldname'],
      [{ licenseKey: { mimetype: 7 } }, '/licenseKey/mimetype'],
      [{ licenseKey: { 'a/b': 'x' } }, '/licenseKey/a~1b'],
      [{ licenseKey: {}, token: 'x' }, '/token'],
    ])('refuses %j and names the field', async ([body, path], { hand }) => {
      const response = await hand(id, body)
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ code: 'validation_failed', errors: [{ path }] })
    })

    test.for([null, [], 'x', 1])('refuses %j in place of the object', async (body, { hand }) => {
      expect((await hand(id, body)).status).toBe(400)
    })

    test('takes 64 KiB and refuses more', async ({ hand }) => {
      for (const content of [' '.repeat(65_536), '\n'.repeat(65_536), '😀'.repeat(65_536)]) expect((await hand(id, licenseBody(content))).status).toBe(422)
      const response = await hand(id, licenseBody(' '.repeat(65_537)))
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ errors: [{ path: '/licenseKey/content' }] })
    })
  })
}
