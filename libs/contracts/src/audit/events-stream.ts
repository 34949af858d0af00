import { type Static, Type } from 'typebox'
import { Policy } from '../usage/events.ts'

/**
 * `GET /api/v1/internal/events`, server-sent events read with fetch. Events with an id can be asked for again by
 * `Last-Event-ID`:
 * `open` (where the stream begins) · `reset` (too much was missed: load everything anew) · `notification` (Notification) ·
 * `change` (StreamChange: something of the account is not as it was) · `usage` (UsageTick, at most one a second) ·
 * `end` ({ code }: why the stream ends; come back with a valid session).
 */
export const STREAM_EVENTS = ['open', 'reset', 'notification', 'change', 'usage', 'end'] as const
export type StreamEventName = (typeof STREAM_EVENTS)[number]

/** A domain event of the account, or of everybody (`subject` null), by its type: enough to know what to load again. */
export const StreamChange = Type.Object({
  type: Type.String(),
  subject: Type.Union([Type.String(), Type.Null()]),
  time: Type.String(),
})
export type StreamChange = Static<typeof StreamChange>

/** What the limiter said with the latest request, and what was counted in the running minute. */
export const UsageTick = Type.Object({
  at: Type.String(),
  windows: Type.Array(Type.Object({ policy: Policy, used: Type.Integer(), limit: Type.Integer() })),
  minute: Type.Object({ from: Type.String(), total: Type.Integer(), failed: Type.Integer(), denied: Type.Integer() }),
})
export type UsageTick = Static<typeof UsageTick>
