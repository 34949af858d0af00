import { Type } from 'typebox'
import { Role, Tier } from '../actor.ts'
import { defineEvent } from '../event.ts'

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

export const identityEvents = [userSignedUp, userSignedIn, sessionEnded]
