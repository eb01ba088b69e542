import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** IPv4 ranges that lie outside the public internet, by the registry of special-purpose addresses. */
const privateV4 = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24',
  '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3',
]

/** Parts of the global unicast space of IPv6 that are no ordinary hosts: protocol assignments (Teredo among them), documentation, 6to4, segment routing. */
const specialV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20', '5f00::/16', '2620:4f:8000::/48']

const globalV6 = ['2000::/3']

/** IPv6 ranges whose last 32 bits are an IPv4 address that is reached through them. */
const embeddingV6 = ['::ffff:0:0/96', '64:ff9b::/96']

const v4 = blockList(privateV4)
const v6Special = blockList(specialV6)
const v6Global = blockList(globalV6)
const v6Embedding = blockList(embeddingV6)

/** Whether an address belongs to an ordinary host of the public internet. */
export function isGlobalAddress(address: string): boolean {
  if (isIPv4(address)) return !v4.check(address, 'ipv4')
  if (!isIPv6(address)) return false
  const plain = address.split('%')[0] ?? ''
  if (v6Embedding.check(plain, 'ipv6')) return isGlobalAddress(lastV4Of(plain))
  return v6Global.check(plain, 'ipv6') && !v6Special.check(plain, 'ipv6')
}

/** A list of CIDR ranges to look addresses up in. */
export function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [net = '', bits = ''] = range.split('/')
    list.addSubnet(net, Number(bits), isIPv4(net) ? 'ipv4' : 'ipv6')
  }
  return list
}

/** The IPv4 address in the last 32 bits; the URL parser spells every form of IPv6 the same way. */
function lastV4Of(address: string): string {
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split(':')
  const [high, low] = [groups.at(-2), groups.at(-1)].map((group) => Number.parseInt(group || '0', 16)) as [number, number]
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
