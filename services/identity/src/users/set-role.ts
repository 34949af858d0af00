import { type Actor, Role } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { roleChanged } from '@tapeline/contracts/identity/events'
import { type Static, Type } from 'typebox'
import type { Deps } from '../deps.ts'
import { changeUser, type ChangedUser } from './change-user.ts'

export const SetRole = Type.Object(
  { account_id: Type.String({ format: 'uuid' }), role: Role },
  { additionalProperties: false },
)
export type SetRole = Static<typeof SetRole>

/** Open sessions go on with the new role. The last active admin stays one. */
export function setRole(
  deps: Pick<Deps, 'db' | 'now' | 'newId' | 'raiseVersion'>,
  actor: Actor,
  { account_id, role }: SetRole,
): Promise<ChangedUser> {
  return changeUser(deps, {
    accountId: account_id,
    change: { role },
    eventOf: (before, after) =>
      newEvent(roleChanged, {
        id: deps.newId(),
        time: deps.now(),
        subject: account_id,
        account: account_id,
        actor,
        data: {
          user_id: account_id,
          before: { role: before.role },
          after: { role: after.role },
          version: after.version,
        },
      }),
  })
}
