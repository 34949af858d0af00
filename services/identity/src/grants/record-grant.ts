import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { encrypt } from '@tapeline/service/encryption'
import type { Tables } from '../tables.ts'
import { insertGrant } from './grant-queries.ts'
import { decryptToken } from './store-token.ts'
import { findIdentityOf, type IdentityRow } from '../oauth/oauth-queries.ts'

export const GRANT_PURPOSE = 'grant of an account that is gone'

type Recording = Pick<Deps, 'now' | 'newId' | 'secret'>

/** Called before the link is deleted with its account: stores the token for the revocation, without its owner. */
export async function recordGrant(trx: Transaction<Tables>, deps: Recording, userId: string): Promise<void> {
  const identity = await findIdentityOf(trx, userId)
  const token = identity && readable(deps, identity)
  if (token === undefined) return
  const sealed_token = encrypt({ secret: deps.secret, purpose: GRANT_PURPOSE }, token)
  await insertGrant(trx, { id: deps.newId(), sealed_token, created_at: deps.now() })
}

/** A token encrypted under another secret does not block the deletion. */
function readable(deps: Recording, identity: IdentityRow): string | undefined {
  try {
    return decryptToken(deps, identity)
  } catch {
    return undefined
  }
}
