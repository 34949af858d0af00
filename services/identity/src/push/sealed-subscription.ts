import { createHash } from 'node:crypto'
import { SubscribeToPush } from '@tapeline/contracts/identity/push'
import { Value } from 'typebox/value'
import { seal, unseal } from '@tapeline/service/seal'

const PURPOSE = 'push subscription'

export function hashEndpoint(endpoint: string): Buffer {
  return createHash('sha256').update(endpoint).digest()
}

export function sealSubscription(secret: string, { endpoint, keys }: SubscribeToPush): Buffer {
  return seal({ secret, purpose: PURPOSE }, JSON.stringify({ endpoint, keys }))
}

export function unsealSubscription(secret: string, sealed: Buffer): SubscribeToPush {
  return Value.Parse(SubscribeToPush, JSON.parse(unseal({ secret, purpose: PURPOSE }, sealed)))
}
