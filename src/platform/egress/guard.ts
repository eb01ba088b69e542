import { lookup } from 'node:dns/promises'
import { isIP, isIPv4, type BlockList } from 'node:net'
import { Problem } from '../errors.ts'
import { normalizeHost, parseUrl } from '../hosts.ts'
import { blockList, isGlobalAddress } from './addresses.ts'

/** Where a connection may go: this very address, and no other that the name may mean a moment later. */
export interface Destination {
  readonly address: string
  readonly family: 4 | 6
}

/** Finds the addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>

const resolveByDns: Resolve = async (host) => (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)

/** Names under which clouds offer the keys of their machines. */
const metadataNames = new Set(['metadata', 'metadata.google.internal', 'metadata.goog', 'instance-data', 'instance-data.ec2.internal'])

/** Decides where anything that leaves this machine may connect to. */
export class EgressGuard {
  readonly #allowedRanges: BlockList
  readonly #allowedHosts: ReadonlySet<string>
  readonly #resolve: Resolve

  /** `allow` lists CIDR ranges, which the resolved address must be in, and `host:port` pairs, which match the name as written. */
  constructor(allow: readonly string[] = [], resolve: Resolve = resolveByDns) {
    this.#allowedRanges = blockList(allow.filter((entry) => entry.includes('/')))
    this.#allowedHosts = new Set(allow.filter((entry) => !entry.includes('/')).map((entry) => entry.toLowerCase()))
    this.#resolve = resolve
  }

  /** Reads an address that a user gave: http or https, and no user info. */
  parseUrl(text: string): URL {
    const url = parseUrl(text)
    if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw forbidden('Only http and https addresses can be reached.')
    if (url.username !== '' || url.password !== '') throw forbidden('An address must not hold a user name or password; use a credential.')
    return url
  }

  /** Resolves a name once and answers the address to connect to, or refuses. */
  async admit(host: string, port: number): Promise<Destination> {
    const name = normalizeHost(host)
    if (name === null) throw forbidden('This is not the name of a host.')
    if (this.#allowedHosts.has(`${name}:${port}`)) return toDestination(await this.#first(name))
    if (metadataNames.has(name)) throw forbidden(`${name} is not open to queries.`)
    const addresses = isIP(bare(name)) ? [bare(name)] : await this.#lookUp(name)
    const open = addresses.find((address) => isGlobalAddress(address) || this.#allowedRanges.check(address, isIPv4(address) ? 'ipv4' : 'ipv6'))
    if (open === undefined) throw forbidden(`${name} is on a private network. EGRESS_ALLOW can open it.`)
    return toDestination(open)
  }

  async #first(name: string): Promise<string> {
    if (isIP(bare(name))) return bare(name)
    const [address] = await this.#lookUp(name)
    if (address === undefined) throw new Problem('target_failed', `The name ${name} has no address.`)
    return address
  }

  async #lookUp(name: string): Promise<readonly string[]> {
    try {
      return await this.#resolve(name)
    } catch (cause) {
      throw new Problem('target_failed', `The name ${name} could not be resolved.`, { cause })
    }
  }
}

const bare = (name: string): string => (name.startsWith('[') ? name.slice(1, -1) : name)

const toDestination = (address: string): Destination => ({ address, family: isIPv4(address) ? 4 : 6 })

const forbidden = (detail: string): Problem => new Problem('target_forbidden', detail)
