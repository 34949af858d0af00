import { isIPv4, isIPv6 } from 'node:net'
import { AppError, type FieldError } from '@tapeline/service/app-error'

const PREFIX = /^(?:0|[1-9]\d{0,2})$/
const GROUP_BITS = 16
/** IPv4 addresses within IPv6: ::ffff:0:0/96. */
const MAPPED_BITS = 96

/**
 * Parses networks into canonical CIDR notation, in the given order, without duplicates.
 * @throws AppError `request.invalid` with one error per entry that is not a network
 */
export function readNetworks(texts: readonly string[]): string[] {
  const errors = texts.flatMap((text, n) => {
    const problem = problemOf(text)
    return problem === undefined ? [] : [{ field: `/networks/${n}`, ...problem }]
  })
  if (errors[0] !== undefined) throw new AppError('request.invalid', errors[0].message, { errors })
  return [...new Set(texts.flatMap((text) => canonicalNetwork(text) ?? []))]
}

/** A network with host bits is more likely a mistake than the intent to allow the whole network. */
function problemOf(text: string): Omit<FieldError, 'field'> | undefined {
  const network = canonicalNetwork(text)
  if (network === undefined) {
    const message = 'Enter an IPv4 or IPv6 address, or a network in CIDR notation such as 203.0.113.0/24.'
    return { message, rule: 'network' }
  }
  if (!text.includes('/') || hasNoHostBits(text, network)) return undefined
  const message = `${text.trim()} is an address inside a network. Did you mean ${network}?`
  return { message, rule: 'networkHostBits', limit: network }
}

function hasNoHostBits(text: string, network: string): boolean {
  const [address = ''] = text.trim().split('/')
  return canonicalNetwork(address)?.split('/')[0] === network.split('/')[0]
}

/** The network's first address and prefix length in canonical form; undefined when the text is not a network. */
export function canonicalNetwork(text: string): string | undefined {
  const [address = '', length, ...rest] = text.trim().split('/')
  if (rest.length > 0 || (length !== undefined && !PREFIX.test(length))) return undefined
  const bits = length === undefined ? undefined : Number(length)
  if (isIPv4(address)) return network(address.split('.').map(Number), 8, bits)
  // A zone (fe80::1%eth0) is only meaningful on one machine.
  return isIPv6(address) && !address.includes('%') ? ipv6Network(groupsOf(address), bits) : undefined
}

/** An IPv4-mapped IPv6 address becomes IPv4, which is how a gateway sees the client. */
function ipv6Network(groups: readonly number[], bits = groups.length * GROUP_BITS): string | undefined {
  const isMapped = groups.slice(0, 6).join() === '0,0,0,0,0,65535' && bits >= MAPPED_BITS
  if (!isMapped) return network(groups, GROUP_BITS, bits)
  const bytes = groups.slice(6).flatMap((group) => [group >> 8, group & 0xff])
  return network(bytes, 8, bits - MAPPED_BITS)
}

/** Parts of 8 or 16 bits; the bits after the prefix become 0. */
function network(parts: readonly number[], partBits: 8 | 16, bits = parts.length * partBits): string | undefined {
  if (bits > parts.length * partBits) return undefined
  const masked = parts.map((part, n) => {
    const prefixBits = Math.min(partBits, Math.max(0, bits - n * partBits))
    return part & (((1 << prefixBits) - 1) << (partBits - prefixBits))
  })
  return `${partBits === 8 ? masked.join('.') : shortest(masked)}/${bits}`
}

/** The URL parser formats IPv6 addresses as RFC 5952 requires. */
function shortest(groups: readonly number[]): string {
  return hostOf(groups.map((group) => group.toString(16)).join(':'))
}

function groupsOf(address: string): number[] {
  const [head = '', tail] = hostOf(address).split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16))
}

function hostOf(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}
