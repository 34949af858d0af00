import type { UserActor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { profileChanged } from '@tapeline/contracts/identity/events'
import type { UpdatedProfile, UpdateProfile } from '@tapeline/contracts/identity/profile'
import { recordEvent } from '@tapeline/events/outbox'
import { AppError } from '@tapeline/service/app-error'
import type { Transaction } from 'kysely'
import type { Deps } from '../deps.ts'
import type { Tables } from '../tables.ts'
import { lockUser, updateProfileFields, type UserRow } from './user-queries.ts'
import type { User } from '@tapeline/contracts/identity/http'
import { cachedProfile } from './cached-profile.ts'
import { presentUser } from './present-user.ts'

/** Updates a user's profile; unchanged fields are neither written nor published. */
export async function updateProfile(deps: Deps, actor: UserActor, input: UpdateProfile): Promise<UpdatedProfile> {
  const user = await deps.db.transaction().execute((trx) => save(trx, deps, actor, trimmed(input)))
  return { user: await presentSignedInUser(deps, actor, user) }
}

async function save(
  trx: Transaction<Tables>,
  deps: Pick<Deps, 'now' | 'newId'>,
  actor: UserActor,
  input: UpdateProfile,
): Promise<UserRow> {
  const user = await lockUser(trx, actor.userId)
  if (user === undefined) throw new AppError('account.not_found', 'There is no such account.')
  const after = Object.fromEntries(Object.entries(input).filter(([field, value]) => valueOf(user, field) !== value))
  const fields = Object.keys(after)
  if (fields.length === 0) return user
  await updateProfileFields(trx, user.id, after)
  const event = newEvent(profileChanged, {
    id: deps.newId(),
    time: deps.now(),
    subject: user.id,
    account: user.id,
    actor,
    data: {
      user_id: user.id,
      before: Object.fromEntries(fields.map((field) => [field, valueOf(user, field)])),
      after,
    },
  })
  await recordEvent(trx, event)
  return { ...user, ...after }
}

function valueOf(user: UserRow, field: string): unknown {
  return Object.entries(user).find(([name]) => name === field)?.[1]
}

/** Trims names like sign-up. */
function trimmed({ first_name, last_name, mobile, ...rest }: UpdateProfile): UpdateProfile {
  return {
    ...rest,
    ...(first_name === undefined ? {} : { first_name: first_name.trim() }),
    ...(last_name === undefined ? {} : { last_name: last_name.trim() }),
    ...(mobile === undefined ? {} : { mobile: mobile.trim() }),
  }
}

/** The caller with the specified field names; without config, with the tier from the gateway. */
async function presentSignedInUser(
  deps: Pick<Deps, 'findProfile' | 'settings'>,
  actor: UserActor,
  row: UserRow,
): Promise<User> {
  const profile = await deps.findProfile(row.id, row.role)
  return presentUser(row, profile ?? cachedProfile(deps, row, actor.tier))
}
