import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import { seal } from '../sessions/seal.ts'
import type { Tables } from '../tables.ts'
import { insertGrant } from './grant-queries.ts'
import { unsealToken } from './keep-token.ts'
import { findIdentityOf, type IdentityRow } from '../oauth/oauth-queries.ts'

export const GRANT_PURPOSE = 'grant of an account that is gone'

type Recording = Pick<Deps, 'now' | 'newId' | 'secret'>

/** Before the link goes with its account: what gives the grant back at the provider is kept, and nothing of whose it was. */
export async function recordGrant(trx: Transaction<Tables>, deps: Recording, userId: string): Promise<void> {
  const identity = await findIdentityOf(trx, userId)
  const token = identity && readable(deps, identity)
  if (token === undefined) return
  const sealed_token = seal({ secret: deps.secret, purpose: GRANT_PURPOSE }, token)
  await insertGrant(trx, { id: deps.newId(), sealed_token, created_at: deps.now() })
}

/** A token that was sealed under another secret keeps nobody from being deleted. */
function readable(deps: Recording, identity: IdentityRow): string | undefined {
  try {
    return unsealToken(deps, identity)
  } catch {
    return undefined
  }
}
