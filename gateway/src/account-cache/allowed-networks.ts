import { BlockList, isIP } from 'node:net'

const MAPPED_PREFIX = '::ffff:'
const MAPPED_BITS = 96
const ADDRESS_BITS = 128
const mapped = new BlockList()
mapped.addSubnet(MAPPED_PREFIX + '0:0', MAPPED_BITS, 'ipv6')

/** As IPv6 text; an IPv4 address as the IPv6 address that contains it. */
type Address = { text: string; isIpv4: boolean }

/**
 * Networks that may use a key. IPv4 inside IPv6 (::ffff:1.2.3.4) is IPv4, which no IPv6 network contains. An unreadable
 * entry allows no address.
 */
export class AllowedNetworks {
  private readonly ipv4 = new BlockList()
  private readonly ipv6 = new BlockList()

  constructor(networks: readonly string[]) {
    for (const network of networks) this.add(network)
  }

  includes(address: string): boolean {
    const read = readAddress(address)
    return read !== undefined && this.listOf(read).check(read.text, 'ipv6')
  }

  private add(network: string): void {
    const [start = '', bitsText] = network.trim().split(/\/(.*)/, 2)
    const read = readAddress(start)
    const bits = readBits(bitsText, isIP(start))
    if (read === undefined || Number.isNaN(bits) || bits > ADDRESS_BITS || (read.isIpv4 && bits < MAPPED_BITS)) return
    this.listOf(read).addSubnet(read.text, bits, 'ipv6')
  }

  private listOf({ isIpv4 }: Address): BlockList {
    return isIpv4 ? this.ipv4 : this.ipv6
  }
}

function readAddress(address: string): Address | undefined {
  const family = isIP(address)
  if (family === 0) return undefined
  const text = family === 4 ? MAPPED_PREFIX + address : (address.split('%', 1)[0] ?? '')
  return { text, isIpv4: family === 4 || mapped.check(text, 'ipv6') }
}

/** Bits of the network in its IPv6 form. An address alone is a network of its own; NaN: not a number of bits. */
function readBits(text: string | undefined, family: number): number {
  if (text === undefined) return ADDRESS_BITS
  const bits = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN
  return family === 4 ? bits + MAPPED_BITS : bits
}
