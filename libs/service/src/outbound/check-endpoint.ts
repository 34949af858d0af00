import { isIP } from 'node:net'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

/** Names of private networks, regardless of DNS (RFC 6761, RFC 8375, RFC 9476). */
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|home|lan|intranet|corp|private|arpa|test|invalid|onion)$/
const LOOPBACK_NAME = 'localhost'

/** Rules for URLs that users name and the platform calls. */
export type EndpointRules = {
  /** For tests only: never in production mode. */
  allowsLoopback: boolean
}

/**
 * Reason why an endpoint is rejected, if it is, as a sentence about the field `name`. The resolved address is checked
 * again on connecting.
 */
export function endpointFault(
  endpoint: string,
  { allowsLoopback }: EndpointRules,
  name = 'endpoint',
): string | undefined {
  const url = URL.parse(endpoint)
  if (url === null) return `${name} is not an address.`
  if (url.username !== '' || url.password !== '') return `${name} must not contain a user or a password.`
  if (allowsLoopback && isLoopback(url)) return undefined
  if (url.protocol !== 'https:') return `${name} must begin with https://.`
  return isElsewhere(hostOf(url)) ? undefined : `${name} must lie on the open internet.`
}

function isLoopback(url: URL): boolean {
  const host = hostOf(url)
  return /^https?:$/.test(url.protocol) && (host === LOOPBACK_NAME || isLoopbackAddress(host))
}

function isElsewhere(host: string): boolean {
  return isIP(host) === 0 ? isPublicName(host) : isPublicAddress(host)
}

/** The host name or address, IPv6 without brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function isPublicName(host: string): boolean {
  const name = host.replace(/\.$/, '')
  return name.includes('.') && !LOCAL_NAMES.test(name)
}
