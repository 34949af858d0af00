import { isIP } from 'node:net'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

/** Names that lead into a network of one's own, whatever a name server says (RFC 6761, RFC 8375, RFC 9476). */
const NAMES_AT_HOME = /(^|\.)(localhost|local|internal|home|lan|intranet|corp|private|arpa|test|invalid|onion)$/
const LOOPBACK_NAME = 'localhost'

export type EndpointRules = {
  /** Only where a test receives pushes itself: never in production mode. */
  allowsLoopback: boolean
}

/** Why pushes are not sent to this address, if so. Where a name leads is looked at again when one connects. */
export function endpointFault(endpoint: string, { allowsLoopback }: EndpointRules): string | undefined {
  const url = URL.parse(endpoint)
  if (url === null) return 'endpoint is not an address.'
  const host = hostOf(url)
  if (url.username !== '' || url.password !== '') return 'endpoint must not contain a user or a password.'
  const isLoopback = host === LOOPBACK_NAME || isLoopbackAddress(host)
  if (isLoopback && allowsLoopback && /^https?:$/.test(url.protocol)) return undefined
  if (url.protocol !== 'https:') return 'endpoint must begin with https://.'
  const isElsewhere = isIP(host) === 0 ? isPublicName(host) : isPublicAddress(host)
  return isElsewhere ? undefined : 'endpoint must lie on the open internet.'
}

/** The name or address, IPv6 without its brackets. */
function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '')
}

function isPublicName(host: string): boolean {
  const name = host.replace(/\.$/, '')
  return name.includes('.') && !NAMES_AT_HOME.test(name)
}
