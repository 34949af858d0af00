import type { Actor } from '@tapeline/contracts/actor'
import { newEvent } from '@tapeline/contracts/event'
import { statusChanged } from '@tapeline/contracts/identity/events'
import { UserStatus } from '@tapeline/contracts/identity/http'
import { type Static, Type } from 'typebox'
import type { Deps } from '../deps.ts'
import { changeUser, type ChangedUser } from './change-user.ts'

export const SetStatus = Type.Object(
  { account_id: Type.String({ format: 'uuid' }), status: UserStatus },
  { additionalProperties: false },
)
export type SetStatus = Static<typeof SetStatus>

/** An inactive account's keys and tokens open nothing; active again, they do as before. The last active admin stays active. */
export function setStatus(
  deps: Pick<Deps, 'db' | 'now' | 'newId' | 'raiseVersion'>,
  actor: Actor,
  { account_id, status }: SetStatus,
): Promise<ChangedUser> {
  return changeUser(deps, {
    accountId: account_id,
    change: { status },
    eventOf: (before, after) =>
      newEvent(statusChanged, {
        id: deps.newId(),
        time: deps.now(),
        subject: account_id,
        account: account_id,
        actor,
        data: {
          user_id: account_id,
          before: { status: before.status },
          after: { status: after.status },
          version: after.version,
        },
      }),
  })
}
