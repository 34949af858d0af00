import { type Static, Type } from 'typebox'
import { Policy } from '../usage/events.ts'

/** Maximum number of alerts of an account. */
export const ALERTS_MAX = 20
export const ALERT_CHANNELS = ['email', 'push', 'webhook'] as const
export const AlertChannel = Type.Enum([...ALERT_CHANNELS])
export type AlertChannel = (typeof ALERT_CHANNELS)[number]

const fields = {
  name: Type.String({ minLength: 1, maxLength: 80, pattern: '^(?=.*\\S)[^\\u0000-\\u001f\\u007f]*$' }),
  /** Null: the account. With a key: the key's own limit, or the account's when the key has none of this window. */
  api_key_id: Type.Union([Type.String({ format: 'uuid' }), Type.Null()]),
  /** The window whose use is watched. */
  policy: Policy,
  /** Share of the limit at which the alert is raised. */
  percent: Type.Integer({ minimum: 1, maximum: 100 }),
  /** Besides the notification in the dashboard. Mail and push also need the account's setting for them. */
  channels: Type.Array(AlertChannel, { maxItems: ALERT_CHANNELS.length, uniqueItems: true }),
  active: Type.Boolean(),
}

/** Body of a new alert, and of a changed one. */
export const SaveAlert = Type.Object(fields, { additionalProperties: false })
export type SaveAlert = Static<typeof SaveAlert>

export const UsageAlert = Type.Object({
  id: Type.String(),
  ...fields,
  last_raised_at: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.String(),
})
export type UsageAlert = Static<typeof UsageAlert>

export const AlertList = Type.Object({ alerts: Type.Array(UsageAlert), max: Type.Integer() })
export type AlertList = Static<typeof AlertList>
export const DeletedAlert = Type.Object({ id: Type.String() })
export type DeletedAlert = Static<typeof DeletedAlert>
