import type { Actor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { resetLinkMade } from '@tapeline/contracts/identity/events'
import { recordEvent } from '@tapeline/events/outbox'
import { randomBytes } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { hashLinkToken } from '../mail/link-token.ts'
import { lockUser } from '../users/user-queries.ts'
import { replaceReset } from './reset-queries.ts'

const TOKEN_BYTES = 32

type ResetLink = { account_id: string; url: string; expires_at: string }
type LinkDeps = Pick<Deps, 'db' | 'now' | 'newId' | 'webOrigin' | 'resetLinkLifeMs'>

/**
 * Creates a reset link for an operator to hand over when mail does not reach the user. It works once and invalidates
 * older links. Its use does not verify the address.
 */
export async function makeResetLink(
  { db, now, newId, webOrigin, resetLinkLifeMs }: LinkDeps,
  actor: Actor,
  accountId: string,
): Promise<ResetLink> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const at = now()
  const expiresAt = new Date(at.getTime() + resetLinkLifeMs)
  const expires_at = expiresAt.toISOString()
  await db.transaction().execute(async (trx) => {
    await lockUser(trx, accountId)
    const link = { hash: hashLinkToken(token), userId: accountId, at, expiresAt, provesAddress: false }
    await replaceReset(trx, link)
    const about = { id: newId(), time: at, subject: accountId, account: accountId, actor }
    await recordEvent(trx, newEvent(resetLinkMade, { ...about, data: { user_id: accountId, expires_at } }))
  })
  return { account_id: accountId, url: `${webOrigin}/auth/reset-password?token=${token}`, expires_at }
}
