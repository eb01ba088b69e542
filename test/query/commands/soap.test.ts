import { readFileSync } from 'node:fs'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openMemoryCellar } from '../../support/memoryCellar.ts'
import { openOutside } from '../../support/outside.ts'
import { runEach } from '../../support/runEach.ts'
import { openTarget, type Answering, type Hit } from '../../support/target.ts'

let answer: (hit: Hit) => Answering = () => ({})
const target = await openTarget((hit) => answer(hit))
afterAll(() => target[Symbol.asyncDispose]())
let services = 0
/** A WSDL is kept for a while, so each test has an address of its own. */
let path = ''
beforeEach(() => {
  services += 1
  path = `/service${services}`
  target.hits.splice(0)
})

const types = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:weather" elementFormDefault="qualified">
  <xs:element name="GetWeather"><xs:complexType><xs:sequence><xs:element name="city" type="xs:string"/></xs:sequence></xs:complexType></xs:element>
  <xs:element name="GetWeatherResponse"><xs:complexType><xs:sequence>
    <xs:element name="degrees" type="xs:double"/><xs:element name="sunny" type="xs:boolean"/><xs:element name="day" type="xs:string" maxOccurs="unbounded"/>
  </xs:sequence></xs:complexType></xs:element></xs:schema>`

function wsdl({ schema = types, soap = 'http://schemas.xmlsoap.org/wsdl/soap/', address = `${target.url}${path}` } = {}): string {
  return `<?xml version="1.0"?><definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:soap="${soap}" xmlns:w="urn:weather" targetNamespace="urn:weather" name="Weather">
  <types>${schema}</types>
  <message name="In"><part name="parameters" element="w:GetWeather"/></message><message name="Out"><part name="parameters" element="w:GetWeatherResponse"/></message>
  <portType name="Port"><operation name="GetWeather"><input message="w:In"/><output message="w:Out"/></operation></portType>
  <binding name="Binding" type="w:Port"><soap:binding style="document" transport="http://schemas.xmlsoap.org/soap/http"/>
    <operation name="GetWeather"><soap:operation soapAction="urn:weather#Get"/><input><soap:body use="literal"/></input><output><soap:body use="literal"/></output></operation></binding>
  <service name="Weather"><port name="Port" binding="w:Binding"><soap:address location="${address}"/></port></service></definitions>`
}

const envelope = (body: string): string => `<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>${body}</s:Body></s:Envelope>`
const sunny = envelope('<GetWeatherResponse xmlns="urn:weather"><degrees>21.5</degrees><sunny>true</sunny><day>Mon</day><day>Tue</day></GetWeatherResponse>')
const serve = (description: string, message: Answering = { body: sunny, type: 'text/xml' }) => {
  answer = ({ method }) => (method === 'GET' ? { body: description, type: 'text/xml' } : message)
}
const call = (more = '', options = {}) => runEach(`soap '{city: "$place$"}' --wsdl ${target.url}${path}?wsdl --method GetWeather ${more}`, { row: { place: 'Bern <&>' }, ...options })
const posts = () => target.hits.filter(({ method }) => method === 'POST')

describe('soap', () => {
  test('calls an operation and makes a row of its typed answer', async () => {
    serve(wsdl())
    expect((await call()).rows).toEqual([{ degrees: 21.5, sunny: true, 'day.0': 'Mon', 'day.1': 'Tue' }])
    const [post] = posts()
    expect(post).toMatchObject({ url: path, headers: { soapaction: '"urn:weather#Get"', 'content-type': 'text/xml; charset=utf-8' } })
    expect(post?.body.toString()).toContain('city>Bern &lt;&amp;&gt;</')
  })

  test('reads the WSDL once for many calls', async () => {
    serve(wsdl())
    await call()
    await call()
    expect(target.hits.map(({ method }) => method)).toEqual(['GET', 'POST', 'POST'])
  })

  test.for([
    ['--security.bearer "t 1"', 'Bearer t 1'],
    ['--security.basic "u:p:q"', `Basic ${Buffer.from('u:p:q').toString('base64')}`],
  ])('identifies itself with %s to the service only', async ([flag, authorization]) => {
    serve(wsdl())
    await call(flag)
    expect(target.hits.map(({ headers }) => headers.authorization)).toEqual([undefined, authorization])
  })

  test('identifies itself to the host of the WSDL where it asks for that', async () => {
    answer = ({ method, headers }) => (headers.authorization === undefined ? { status: 401 } : method === 'GET' ? { body: wsdl() } : { body: sunny })
    expect((await call('--security.bearer t')).rows).toHaveLength(1)
  })

  test('sends to --endpoint, and in the manner of SOAP 1.2', async () => {
    serve(wsdl({ soap: 'http://schemas.xmlsoap.org/wsdl/soap12/' }))
    await call(`--endpoint ${target.url}/elsewhere`)
    expect(posts()).toMatchObject([{ url: '/elsewhere', headers: { 'content-type': 'application/soap+xml; charset=utf-8; action="urn:weather#Get"' } }])
  })

  test('reads the WSDL and its imports from the cellar and the web', async () => {
    const schema = '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:import namespace="urn:weather" schemaLocation="types.xsd"/></xs:schema>'
    const files: Record<string, string> = { 'weather.wsdl': wsdl({ schema }), 'types.xsd': types }
    const outside = openOutside({ cellar: { ...openMemoryCellar(), text: async (name) => files[name] ?? Promise.reject(new Error(`no ${name}`)) } })
    serve('')
    const { rows } = await runEach('soap \'{city: "Bern"}\' --wsdl weather.wsdl --method GetWeather', { outside })
    expect(rows).toMatchObject([{ degrees: 21.5 }])
    answer = ({ method, url }) => (method === 'POST' ? { body: sunny } : { body: url.endsWith('.xsd') ? types : wsdl({ schema }) })
    expect((await call()).rows).toMatchObject([{ degrees: 21.5 }])
    expect(target.hits.map(({ url }) => url)).toContain('/types.xsd')
  })

  test.for(['/etc/hostname', 'file:///etc/hostname', '../../etc/hostname'])('reads no file of this machine that a WSDL imports: %s', async (location) => {
    const schema = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:import namespace="urn:weather" schemaLocation="${location}"/></xs:schema>`
    answer = ({ url }) => (url.includes('wsdl') ? { body: wsdl({ schema }) } : { status: 404 })
    const problem = await call().catch((error: unknown) => error)
    expect(problem).toMatchObject({ name: 'Problem', code: expect.stringMatching(/^target_(?:status|forbidden)$/) })
    expect(String(problem)).not.toContain(readFileSync('/etc/hostname', 'utf8').trim())
  })

  test.for([
    ['of SOAP 1.1', envelope('<s:Fault><faultcode>s:Client</faultcode><faultstring>No such city</faultstring></s:Fault>')],
    ['of SOAP 1.2', envelope('<s:Fault><s:Code><s:Value>s:Client</s:Value></s:Code><s:Reason><s:Text xml:lang="en">No such city</s:Text></s:Reason></s:Fault>')],
  ])('reports a fault %s', async ([, body]) => {
    serve(wsdl(), { status: 500, body, type: 'text/xml' })
    await expect(call()).rejects.toMatchObject({ code: 'command_failed', message: 'The service answered with a fault: No such city (s:Client).' })
  })

  test.for<[string, Answering, string]>([
    ['an error status', { status: 503, body: 'busy' }, 'target_status'],
    ['an answer that is no XML', { body: 'hello <' }, 'target_unreadable'],
    ['an answer that is no envelope', { body: '<html><body/></html>' }, 'target_unreadable'],
    ['an empty answer', { body: '' }, 'target_unreadable'],
    ['an answer of another operation', { body: envelope('<Other xmlns="urn:x"/>') }, 'target_unreadable'],
    ['names that JavaScript keeps for itself', { body: envelope('<a id="&#95;_proto__"><b>1</b></a>') }, 'target_unreadable'],
    ['ids that every object has', { body: envelope('<a id="toString"><b>1</b></a>') }, 'target_unreadable'],
  ])('reports %s', async ([, message, code]) => {
    serve(wsdl(), message)
    await expect(call()).rejects.toMatchObject({ code })
    expect(Object.keys(Object.prototype)).toEqual([])
    expect('obj' in {}).toBe(false)
  })

  test.for<[string, string]>([
    ['a page', '<html><body/></html>'],
    ['broken XML', '<definitions>'],
    ['nothing', ''],
    ['WSDL 2.0', '<description xmlns="http://www.w3.org/ns/wsdl"/>'],
    ['text', 'hello'],
  ])('refuses %s as a WSDL', async ([, text]) => {
    serve(text)
    await expect(call()).rejects.toMatchObject({ code: 'target_unreadable' })
  })

  test('names the operations of a WSDL that lacks the one that is called', async () => {
    serve(wsdl())
    const other = runEach(`soap '{}' --wsdl ${target.url}${path}?wsdl --method constructor`)
    await expect(other).rejects.toMatchObject({ code: 'command_failed', message: 'The WSDL has no operation "constructor"; it has GetWeather.' })
  })
})
