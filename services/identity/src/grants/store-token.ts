import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { decrypt, encrypt, type EncryptionKey } from '@tapeline/service/encryption'
import type { Tables } from '../tables.ts'
import type { ProviderIdentity } from '../oauth/provider-identity.ts'
import { type IdentityRow, replaceToken } from '../oauth/oauth-queries.ts'

type Secret = Pick<Deps, 'secret'>
type Sealed = Pick<IdentityRow, 'issuer' | 'subject' | 'sealed_token'>

/** Prefix of stored access tokens, which expire by themselves; no token starts with it. */
const SHORT_LIVED = 'short-lived '

/** Stores the provider's token. A short-lived token from a later sign-in never replaces a refresh token. */
export async function storeToken(
  trx: Transaction<Tables>,
  deps: Secret,
  { identity, claim }: { identity: IdentityRow; claim: ProviderIdentity },
): Promise<void> {
  if (!claim.isTokenLasting && hasLastingToken(deps, identity)) return
  await replaceToken(trx, identity.user_id, encryptToken(deps, claim))
}

export function encryptToken({ secret }: Secret, { token, isTokenLasting, ...whose }: ProviderIdentity): Buffer {
  return encrypt(tokenKey({ secret }, whose), isTokenLasting ? token : SHORT_LIVED + token)
}

export function decryptToken(deps: Secret, identity: Sealed): string {
  const text = decryptStored(deps, identity)
  return text.startsWith(SHORT_LIVED) ? text.slice(SHORT_LIVED.length) : text
}

/** An unreadable token counts as none. */
function hasLastingToken(deps: Secret, identity: Sealed): boolean {
  try {
    return !decryptStored(deps, identity).startsWith(SHORT_LIVED)
  } catch {
    return false
  }
}

function decryptStored({ secret }: Secret, { sealed_token, ...whose }: Sealed): string {
  return decrypt(tokenKey({ secret }, whose), sealed_token)
}

export function tokenKey({ secret }: Secret, { issuer, subject }: Pick<Sealed, 'issuer' | 'subject'>): EncryptionKey {
  return { secret, purpose: `token of ${subject} at ${issuer}` }
}
