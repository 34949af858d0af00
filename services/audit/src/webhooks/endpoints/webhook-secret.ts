import { randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A secret in the form of Standard Webhooks: `whsec_` and the base64 of 32 random bytes. */
export function newWebhookSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

/** The bytes that sign. */
export function secretBytes(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64')
}
