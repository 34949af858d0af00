import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { internalKey, type InternalKeys } from '@tapeline/service/internal-keys'

export const RELAY_HEADER = 'x-internal-relayed-for'
const LIFE_MS = 15_000

/**
 * The tools of MCP call the API through the gateway again, so that all limits and allowed networks apply. Their connection
 * comes from this machine; the header contains the caller's address, signed with a key that only gateways have.
 */
export class RelayedAddresses {
  private readonly key: Buffer
  private readonly now: () => number

  /** @throws Error without the key that the gateway signs calls to market-data with: the tools mostly read there */
  constructor(keys: InternalKeys, now: () => number) {
    const secret = internalKey(keys, 'gateway', 'market-data')
    if (secret === undefined) throw new Error('INTERNAL_KEYS: the key gateway>market-data is missing')
    this.key = createHmac('sha256', secret).update('relayed address').digest()
    this.now = now
  }

  sign(address: string): string {
    const signed = `${this.now() + LIFE_MS} ${address}`
    return `${signed} ${this.signature(signed)}`
  }

  /** The address that a gateway has signed; undefined without the header, with a forged one and with an old one. */
  read({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
    const value = headers[RELAY_HEADER]
    if (typeof value !== 'string') return undefined
    const [untilMs = '', address = '', signature = ''] = value.split(' ')
    const expected = Buffer.from(this.signature(`${untilMs} ${address}`))
    const received = Buffer.from(signature)
    const isGenuine = received.length === expected.length && timingSafeEqual(received, expected)
    return isGenuine && Number(untilMs) > this.now() ? address : undefined
  }

  private signature(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('base64url')
  }
}
