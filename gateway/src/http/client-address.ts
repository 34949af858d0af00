import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv6 } from 'node:net'

export type ClientAddress = (request: IncomingMessage) => string

/** The client's address; entries of `X-Forwarded-For` are used only if a trusted proxy added them. */
export function clientAddressBy(trustProxy: string): ClientAddress {
  const trusted = new BlockList()
  const entries = trustProxy.split(',').filter((entry) => entry !== '')
  for (const entry of entries) addTrusted(trusted, entry.trim())
  const isTrusted = (address: string) =>
    isIP(address) !== 0 && trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  return (request) => {
    const nearest = plain(request.socket.remoteAddress ?? '')
    if (entries.length === 0 || !isTrusted(nearest)) return nearest
    const forwarded = request.headers['x-forwarded-for']
    const hops = String(forwarded ?? '')
      .split(',')
      .map((hop) => plain(withoutPort(hop.trim())))
    for (const hop of hops.toReversed()) {
      if (isIP(hop) === 0) return nearest
      if (!isTrusted(hop)) return hop
    }
    return hops[0] === undefined || hops[0] === '' ? nearest : hops[0]
  }
}

/** The caller's network: /24 of IPv4, /48 of IPv6. */
export function networkOf(address: string): string {
  if (address.includes(':')) return ipv6Network(address, 3)
  const last = address.lastIndexOf('.')
  return last === -1 ? '' : `${address.slice(0, last)}.0/24`
}

/** The unit of throttles: an IPv4 address, or the /64 of one subscriber. */
export function throttleAddress(address: string): string {
  return isIPv6(address) ? ipv6Network(address, 4) : address
}

/** The first groups of 16 bits. */
function ipv6Network(address: string, groups: number): string {
  const [head = '', tail] = (address.split('%', 1)[0] ?? '').split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  const first = [...before, ...zeros, ...after].slice(0, groups)
  return `${first.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/${groups * 16}`
}

function addTrusted(list: BlockList, entry: string): void {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? []
  const family = isIPv6(address) ? 'ipv6' : 'ipv4'
  if (isIP(address) === 0 || Number(bits ?? 0) > (family === 'ipv6' ? 128 : 32)) {
    throw new Error(
      `TRUST_PROXY: "${entry}" is neither an address nor a network, such as 10.0.0.1, 10.0.0.0/8 or fd00::/8`,
    )
  }
  if (bits === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(bits), family)
}

/** Some proxies append the client's port: `198.51.100.7:4711`, `[2001:db8::7]:4711`. */
function withoutPort(hop: string): string {
  const [, v4, v6] = /^(?:([\d.]+):\d+|\[([^\]]+)\](?::\d+)?)$/.exec(hop) ?? []
  return v4 ?? v6 ?? hop
}

/** IPv4 as a dual-stack socket reports it. */
function plain(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address
}
