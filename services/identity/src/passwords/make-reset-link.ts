import { randomBytes } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { hashLinkToken } from '../mail/link-token.ts'
import { replaceReset } from './reset-queries.ts'

const TOKEN_BYTES = 32

type ResetLink = { account_id: string; url: string; expires_at: string }

/** For somebody whom no mail reaches: an operator hands the link over. Like any other it works once, and ends older ones. */
export async function makeResetLink(
  { db, now, webOrigin, resetLinkLifeMs }: Pick<Deps, 'db' | 'now' | 'webOrigin' | 'resetLinkLifeMs'>,
  accountId: string,
): Promise<ResetLink> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const at = now()
  const expiresAt = new Date(at.getTime() + resetLinkLifeMs)
  await replaceReset(db, { hash: hashLinkToken(token), userId: accountId, at, expiresAt })
  const url = `${webOrigin}/auth/reset-password?token=${token}`
  return { account_id: accountId, url, expires_at: expiresAt.toISOString() }
}
