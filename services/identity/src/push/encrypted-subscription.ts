import { createHash } from 'node:crypto'
import { SubscribeToPush } from '@tapeline/contracts/identity/push'
import { Value } from 'typebox/value'
import { decrypt, encrypt, type Secrets } from '@tapeline/service/encryption'

export const SUBSCRIPTION_PURPOSE = 'push subscription'

export function hashEndpoint(endpoint: string): Buffer {
  return createHash('sha256').update(endpoint).digest()
}

export function encryptSubscription(secret: Secrets, { endpoint, keys }: SubscribeToPush): Buffer {
  return encrypt({ secret, purpose: SUBSCRIPTION_PURPOSE }, JSON.stringify({ endpoint, keys }))
}

export function decryptSubscription(secret: Secrets, sealed: Buffer): SubscribeToPush {
  return Value.Parse(SubscribeToPush, JSON.parse(decrypt({ secret, purpose: SUBSCRIPTION_PURPOSE }, sealed)))
}
