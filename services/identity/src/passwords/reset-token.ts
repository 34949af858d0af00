import { createHash, createHmac } from 'node:crypto'

const PURPOSE = 'password reset by mail '

/** 256 bits that follow from the mail: made again after a crash, the link is the same. */
export function resetTokenOf(mailId: string, secret: string): string {
  return createHmac('sha256', secret)
    .update(PURPOSE + mailId)
    .digest('base64url')
}

/** What is stored. No salt: there is nothing to guess in 256 bits. */
export function hashResetToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
