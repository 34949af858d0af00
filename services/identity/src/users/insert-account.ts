import type { Actor, Tier } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { userSignedUp } from '@tapeline/contracts/identity/events'
import { recordEvent } from '@tapeline/events/outbox'
import { type AccountVersion, USER_VERSION_FIELD } from '@tapeline/service/account-versions'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import { insertUser, type NewUserRow, type UserRow } from './user-queries.ts'

export type NewAccount = { row: NewUserRow; tier: Tier }

/** Inserts the user and the event. */
export async function insertAccount(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'newId'>,
  actor: Actor,
  { row, tier }: NewAccount,
): Promise<UserRow> {
  const user = await insertUser(trx, row)
  const event = newEvent(userSignedUp, {
    id: deps.newId(),
    time: user.created_at,
    subject: user.id,
    account: user.id,
    actor,
    data: { user_id: user.id, role: user.role, tier, version: user.version },
  })
  await recordEvent(trx, event, userVersion(user))
  return user
}

export function userVersion({ id, version }: UserRow): AccountVersion {
  return { accountId: id, field: USER_VERSION_FIELD, version }
}
