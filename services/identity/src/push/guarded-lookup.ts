import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type { EndpointRules } from './check-endpoint.ts'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

/** A name that leads into a network of one's own. */
export class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress'
}

/** Asked for the very addresses that are then connected to: a name that changes its mind gains nothing. */
export function createGuardedLookup({ allowsLoopback }: EndpointRules): LookupFunction {
  const isAllowed = (address: string) => isPublicAddress(address) || (allowsLoopback && isLoopbackAddress(address))
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '')
      const allowed = found.filter(({ address }) => isAllowed(address))
      const [first] = allowed
      if (first === undefined) return callback(new PrivateAddress(`${hostname} is not on the open internet`), '')
      return options.all === true ? callback(null, allowed) : callback(null, first.address, first.family)
    })
  }
}
