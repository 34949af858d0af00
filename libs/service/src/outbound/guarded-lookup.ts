import { lookup as lookUpName } from 'node:dns'
import type { LookupAddress, LookupAllOptions } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { EndpointRules } from './check-endpoint.ts'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

/** The name resolves to a private network. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress'
}

/** Resolves a name to all its addresses, as `dns.lookup` does. */
export type ResolveName = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void

/** Checks the addresses that are then connected to, which prevents DNS rebinding. */
export function createGuardedLookup(
  { allowsLoopback }: EndpointRules,
  resolve: ResolveName = lookUpName,
): LookupFunction {
  const isAllowed = (address: string) => isPublicAddress(address) || (allowsLoopback && isLoopbackAddress(address))
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '')
      const allowed = found.filter(({ address }) => isAllowed(address))
      const [first] = allowed
      if (first === undefined) return callback(new PrivateAddress(`${hostname} is not on the open internet`), '')
      return options.all === true ? callback(null, allowed) : callback(null, first.address, first.family)
    })
  }
}
