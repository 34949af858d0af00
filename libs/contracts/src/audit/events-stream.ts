import { type Static, Type } from 'typebox'
import { Policy } from '../usage/events.ts'

/**
 * `GET /api/v1/internal/events`: server-sent events, read with fetch. Events with an id can be resumed with
 * `Last-Event-ID`.
 * `open`: where the stream begins · `reset`: too many events were missed, reload everything · `notification`
 * (Notification) ·
 * `change` (StreamChange): data of the account changed · `usage` (UsageTick, at most one per second) ·
 * `end` ({ code }): why the stream ends; reconnect with a valid session.
 */
export const STREAM_EVENTS = ['open', 'reset', 'notification', 'change', 'usage', 'end'] as const
export type StreamEventName = (typeof STREAM_EVENTS)[number]

/** A domain event of the account, or of the platform (`subject` null): its type determines which data to reload. */
export const StreamChange = Type.Object({
  type: Type.String(),
  subject: Type.Union([Type.String(), Type.Null()]),
  time: Type.String(),
})
export type StreamChange = Static<typeof StreamChange>

/** Limits as of the latest request, and the counts of the current minute. */
export const UsageTick = Type.Object({
  at: Type.String(),
  windows: Type.Array(Type.Object({ policy: Policy, used: Type.Integer(), limit: Type.Integer() })),
  minute: Type.Object({ from: Type.String(), total: Type.Integer(), failed: Type.Integer(), denied: Type.Integer() }),
})
export type UsageTick = Static<typeof UsageTick>
