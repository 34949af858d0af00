import { BlockList, isIP, isIPv4 } from 'node:net'

/** IPv4 ranges that IANA has reserved (RFC 6890 and its successors). */
const RESERVED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
/** Ranges in IPv6's public space that are not public, or that embed an IPv4 address. */
const RESERVED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const reserved = new BlockList()
for (const subnet of RESERVED_IPV4) addTo(reserved, subnet, 'ipv4')
for (const subnet of RESERVED_IPV6) addTo(reserved, subnet, 'ipv6')
const publicSpace = new BlockList()
addTo(publicSpace, '2000::/3', 'ipv6')
const loopback = new BlockList()
addTo(loopback, '127.0.0.0/8', 'ipv4')
addTo(loopback, '::1/128', 'ipv6')

/** True for an address on the public internet; false for all others, including invalid ones. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !reserved.check(address, 'ipv4')
  return isIP(address) === 6 && publicSpace.check(address, 'ipv6') && !reserved.check(address, 'ipv6')
}

/** True for an address of this machine. */
export function isLoopbackAddress(address: string): boolean {
  return isIP(address) !== 0 && loopback.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

function addTo(list: BlockList, subnet: string, family: 'ipv4' | 'ipv6'): void {
  const [network = '', bits = ''] = subnet.split('/')
  list.addSubnet(network, Number(bits), family)
}
