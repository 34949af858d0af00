import { createHash } from 'node:crypto'
import { SubscribeToPush } from '@tapeline/contracts/identity/push'
import { Value } from 'typebox/value'
import { encrypt, decrypt } from '@tapeline/service/encryption'

const PURPOSE = 'push subscription'

export function hashEndpoint(endpoint: string): Buffer {
  return createHash('sha256').update(endpoint).digest()
}

export function encryptSubscription(secret: string, { endpoint, keys }: SubscribeToPush): Buffer {
  return encrypt({ secret, purpose: PURPOSE }, JSON.stringify({ endpoint, keys }))
}

export function decryptSubscription(secret: string, sealed: Buffer): SubscribeToPush {
  return Value.Parse(SubscribeToPush, JSON.parse(decrypt({ secret, purpose: PURPOSE }, sealed)))
}
