import { createHash, createHmac } from 'node:crypto'
import { type Secrets, secretsOf } from '@tapeline/service/encryption'

/** Each kind of link has its own tokens: one that verifies an address cannot reset a password. */
const PURPOSES = {
  'password-reset': 'password reset by mail ',
  'verify-email': 'proof of an address ',
  'email-change': 'proof of a new address ',
  'device-link': 'new known device by mail ',
  'export-ready': 'download of an export ',
} as const

export type MailWithLink = { id: string; kind: keyof typeof PURPOSES }

/** 256 bits derived from the mail's id, so that a mail resent after a crash contains the same link. */
export function linkTokenOf({ id, kind }: MailWithLink, secret: Secrets): string {
  return createHmac('sha256', secretsOf(secret)[0])
    .update(PURPOSES[kind] + id)
    .digest('base64url')
}

/** The stored hash. No salt: a token has 256 random bits. */
export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
