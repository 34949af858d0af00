import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { acceptedKeys, type InternalKeys } from '@tapeline/service/internal-keys'

export const RELAY_HEADER = 'x-internal-relayed-for'
const LIFE_MS = 15_000

/**
 * The tools of MCP call the API through the gateway again, so that all limits and allowed networks apply. Their connection
 * comes from this machine; the header contains the caller's address, signed with a key that only gateways have.
 */
export class RelayedAddresses {
  /** The first signs, all verify: another process of this machine may have the previous one. */
  private readonly keys: readonly [Buffer, ...Buffer[]]
  private readonly now: () => number

  /** @throws Error without the key that the gateway signs calls to market-data with: the tools mostly read there */
  constructor(keys: InternalKeys, now: () => number) {
    const [first, ...others] = acceptedKeys(keys, 'gateway', 'market-data').map(derivedKey)
    if (first === undefined) throw new Error('INTERNAL_KEYS: the key gateway>market-data is missing')
    this.keys = [first, ...others]
    this.now = now
  }

  sign(address: string): string {
    const signed = `${this.now() + LIFE_MS} ${address}`
    return `${signed} ${signatureOf(signed, this.keys[0])}`
  }

  /** The address that a gateway has signed; undefined without the header, with a forged one and with an old one. */
  read({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
    const value = headers[RELAY_HEADER]
    if (typeof value !== 'string') return undefined
    const [untilMs = '', address = '', signature = ''] = value.split(' ')
    const received = Buffer.from(signature)
    const isGenuine = this.keys.some((key) => {
      const expected = Buffer.from(signatureOf(`${untilMs} ${address}`, key))
      return received.length === expected.length && timingSafeEqual(received, expected)
    })
    return isGenuine && Number(untilMs) > this.now() ? address : undefined
  }
}

function derivedKey(secret: Buffer): Buffer {
  return createHmac('sha256', secret).update('relayed address').digest()
}

function signatureOf(text: string, key: Buffer): string {
  return createHmac('sha256', key).update(text).digest('base64url')
}
