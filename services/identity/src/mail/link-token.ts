import { createHash, createHmac } from 'node:crypto'

/** Each kind of link has its own tokens: one of a mail about the address opens no password. */
const PURPOSES = {
  'password-reset': 'password reset by mail ',
  'verify-email': 'proof of an address ',
  'email-change': 'proof of a new address ',
  'device-link': 'new known device by mail ',
  'export-ready': 'download of an export ',
} as const

export type MailWithLink = { id: string; kind: keyof typeof PURPOSES }

/** 256 bits that follow from the mail: made again after a crash, the link is the same. */
export function linkTokenOf({ id, kind }: MailWithLink, secret: string): string {
  return createHmac('sha256', secret)
    .update(PURPOSES[kind] + id)
    .digest('base64url')
}

/** What is stored. No salt: there is nothing to guess in 256 bits. */
export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
