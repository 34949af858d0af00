import { createHmac } from 'node:crypto'
import { secretBytes } from '../endpoints/webhook-secret.ts'

export type SignedMessage = { id: string; timestampS: number; body: string }

/**
 * Headers of Standard Webhooks: `webhook-signature` has one `v1,<base64 HMAC-SHA256 of id.timestamp.body>` per secret,
 * separated by spaces.
 */
export function signatureHeaders({ id, timestampS, body }: SignedMessage, secrets: readonly string[]) {
  const signatures = secrets.map((secret) => {
    const mac = createHmac('sha256', secretBytes(secret)).update(`${id}.${timestampS}.${body}`)
    return `v1,${mac.digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': signatures.join(' '),
  }
}
