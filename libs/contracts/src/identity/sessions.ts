import { type Static, Type } from 'typebox'

/** An active session. */
export const SessionView = Type.Object({
  id: Type.String(),
  /** Browser and system from the user agent, for example `Firefox on Linux`. */
  device: Type.String(),
  /** Network of the sign-in or the last refresh, /24 or /48. */
  network: Type.Union([Type.String(), Type.Null()]),
  is_current: Type.Boolean(),
  is_remembered: Type.Boolean(),
  created_at: Type.String(),
  last_used_at: Type.String(),
  expires_at: Type.String(),
})
export type SessionView = Static<typeof SessionView>

/** `GET /api/v1/internal/user/sessions`: the caller's session first, then by last use. */
export const SessionList = Type.Object({ sessions: Type.Array(SessionView) })
export type SessionList = Static<typeof SessionList>

/** `DELETE /api/v1/internal/user/sessions/{id}`; without an id, ends all but the caller's. */
export const EndedSessionCount = Type.Object({
  ended: Type.Integer(),
  effective_within_seconds: Type.Optional(Type.Integer()),
})
export type EndedSessionCount = Static<typeof EndedSessionCount>
