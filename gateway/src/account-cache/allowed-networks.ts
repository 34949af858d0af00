import { isIP } from 'node:net'

/** Sorted and merged, for binary search. */
type Range = { first: string; last: string }

const MAPPED = '00000000000000000000ffff'
const MAPPED_BITS = 96

/**
 * Networks that may use a key, IPv4 and IPv6, as ranges of addresses written in hex behind the number of their family.
 * IPv4 inside IPv6 (::ffff:1.2.3.4) is IPv4. An unreadable entry allows no address.
 */
export class AllowedNetworks {
  private readonly ranges: Range[]

  constructor(networks: readonly string[]) {
    const ranges = networks.map(rangeOf).filter((range) => range !== undefined)
    ranges.sort((a, b) => (a.first < b.first ? -1 : 1))
    this.ranges = merge(ranges)
  }

  includes(address: string): boolean {
    const text = sortable(address)
    if (text === undefined) return false
    let [from, to] = [0, this.ranges.length]
    while (from < to) {
      const middle = (from + to) >> 1
      if (text > (this.ranges[middle]?.last ?? '')) from = middle + 1
      else to = middle
    }
    const range = this.ranges[from]
    return range !== undefined && text >= range.first
  }
}

function merge(sorted: readonly Range[]): Range[] {
  const merged: Range[] = []
  for (const range of sorted) {
    const before = merged.at(-1)
    if (before === undefined || range.first > before.last) merged.push({ ...range })
    else if (range.last > before.last) before.last = range.last
  }
  return merged
}

/** An address alone is a network of one. */
function rangeOf(network: string): Range | undefined {
  const [address = '', bitsText] = network.trim().split(/\/(.*)/, 2)
  const text = sortable(address)
  if (text === undefined) return undefined
  const digits = text.slice(1)
  const bits = bitsOf(bitsText, digits.length * 4, isIP(address) === 6)
  if (bits === undefined) return undefined
  return { first: text.charAt(0) + fill(digits, bits, '0'), last: text.charAt(0) + fill(digits, bits, 'f') }
}

/** Of IPv4 inside IPv6 the bits count from the front of the longer address. */
function bitsOf(text: string | undefined, width: number, isWritten6: boolean): number | undefined {
  if (text === undefined) return width
  if (!/^\d{1,3}$/.test(text)) return undefined
  const bits = Number(text) - (isWritten6 && width === 32 ? MAPPED_BITS : 0)
  return bits < 0 || bits > width ? undefined : bits
}

/** The first bits stay, the rest are all 0 or all 1. */
function fill(digits: string, bits: number, rest: '0' | 'f'): string {
  const whole = bits >> 2
  if (whole === digits.length) return digits
  const mask = 0xf >> (bits & 3)
  const digit = Number.parseInt(digits.charAt(whole), 16)
  const middle = rest === '0' ? digit & ~mask : digit | mask
  return digits.slice(0, whole) + middle.toString(16) + rest.repeat(digits.length - whole - 1)
}

/** `4` and 8 hex digits, or `6` and 32 of them. */
function sortable(address: string): string | undefined {
  const family = isIP(address)
  if (family === 4) return `4${hexOfIpv4(address)}`
  if (family !== 6) return undefined
  const hex = hexOfIpv6(address.split('%', 1)[0] ?? '')
  return hex.startsWith(MAPPED) ? `4${hex.slice(MAPPED.length)}` : `6${hex}`
}

function hexOfIpv4(address: string): string {
  return address
    .split('.')
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')
}

function hexOfIpv6(address: string): string {
  const [head = '', tail] = address.split('::')
  const before = groupsOf(head)
  const after = tail === undefined ? '' : groupsOf(tail)
  return before + '0'.repeat(32 - before.length - after.length) + after
}

/** Groups of an IPv6 address as hex; the last may be an IPv4 address. */
function groupsOf(part: string): string {
  if (part === '') return ''
  return part
    .split(':')
    .map((group) => (group.includes('.') ? hexOfIpv4(group) : group.padStart(4, '0').toLowerCase()))
    .join('')
}
