import { type TSchema, Type } from 'typebox'
import { Role, Tier } from '../actor.ts'
import { defineEvent } from '../event.ts'
import { UserStatus } from './http.ts'

export const userSignedUp = defineEvent(
  'identity',
  'identity.user-signed-up.v1',
  Type.Object({ user_id: Type.String(), role: Role, tier: Tier, version: Type.Integer() }),
)

export const userSignedIn = defineEvent(
  'identity',
  'identity.user-signed-in.v1',
  Type.Object({ user_id: Type.String(), session_id: Type.String() }),
)

export const sessionEnded = defineEvent(
  'identity',
  'identity.session-ended.v1',
  Type.Object({
    user_id: Type.String(),
    session_id: Type.String(),
    reason: Type.Union([Type.Literal('signed_out'), Type.Literal('refresh_reused'), Type.Literal('revoked')]),
    version: Type.Integer(),
  }),
)

/** Every session of an account at once: tokens from before `not_before` are dead. */
export const sessionsEnded = defineEvent(
  'identity',
  'identity.sessions-ended.v1',
  changeOf(Type.Object({ not_before: Type.String() })),
)

export const roleChanged = defineEvent('identity', 'identity.role-changed.v1', changeOf(Type.Object({ role: Role })))

export const statusChanged = defineEvent(
  'identity',
  'identity.status-changed.v1',
  changeOf(Type.Object({ status: UserStatus })),
)

export const identityEvents = [userSignedUp, userSignedIn, sessionEnded, sessionsEnded, roleChanged, statusChanged]

/** What of a user was, and what is. */
function changeOf<T extends TSchema>(state: T) {
  return Type.Object({ user_id: Type.String(), before: state, after: state, version: Type.Integer() })
}
