import type { ResetTokenState, VerifyResetToken } from '@tapeline/contracts/identity/passwords'
import type { Deps } from '../deps.ts'
import { hashLinkToken } from '../mail/link-token.ts'
import { findResetOwner } from './reset-queries.ts'

/** Checks a link without using it up: opening the page sets no password. */
export async function verifyResetToken(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  { token }: VerifyResetToken,
): Promise<ResetTokenState> {
  const owner = await findResetOwner(db, hashLinkToken(token), now())
  return { valid: owner !== undefined, email: owner?.email ?? null }
}
