import type { UserActor } from '@tapeline/contracts/actor'
import type { User } from '@tapeline/contracts/identity/http'
import type { Deps } from '../deps.ts'
import { knownProfile } from './known-profile.ts'
import { presentUser } from './present-user.ts'
import type { UserRow } from './user-queries.ts'

/** The caller with the specified field names; without config, with the tier from the gateway. */
export async function presentSignedInUser(
  deps: Pick<Deps, 'findProfile' | 'settings'>,
  actor: UserActor,
  row: UserRow,
): Promise<User> {
  const profile = await deps.findProfile(row.id, row.role)
  return presentUser(row, profile ?? knownProfile(deps, row, actor.tier))
}
