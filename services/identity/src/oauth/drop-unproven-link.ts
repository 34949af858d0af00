import type { Actor } from '@tapeline/contracts/actor'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import type { UserRow } from '../users/user-queries.ts'
import { announceUnlinking } from './announce-unlinking.ts'
import { deleteIdentity, findIdentityOf } from './oauth-queries.ts'
import { recordGrant } from '../grants/record-grant.ts'

/**
 * Removes a link made before the address was verified: it may belong to an attacker who signed up with the address
 * first.
 */
export async function dropUnprovenLink(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'now' | 'newId' | 'secret'>,
  actor: Actor,
  user: Pick<UserRow, 'id' | 'email' | 'email_verified'>,
): Promise<void> {
  const identity = user.email_verified ? undefined : await findIdentityOf(trx, user.id)
  if (identity === undefined) return
  await recordGrant(trx, deps, user.id)
  await deleteIdentity(trx, user.id, identity)
  await announceUnlinking(trx, deps, actor, user)
}
