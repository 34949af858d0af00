import { type Static, Type } from 'typebox'
import { ApiKey, RegenerateKey, UpdateKey } from './http.ts'

export const BULK_ACTIONS = ['revoke', 'rotate', 'expire', 'deactivate', 'activate'] as const
export type BulkAction = (typeof BULK_ACTIONS)[number]

/**
 * `POST /api/v1/internal/api-keys/bulk`: one change of all market-data keys with a tag that are not revoked. Without
 * `preview` nothing changes: the answer lists the keys and a `preview` to send with the same body.
 */
export const BulkChange = Type.Object(
  {
    tag: Type.String({ minLength: 1, maxLength: 40 }),
    action: Type.Enum([...BULK_ACTIONS]),
    /** For `rotate`: how long replaced secrets keep working, as for one key. */
    grace_seconds: RegenerateKey.properties.grace_seconds,
    /** For `expire`, which requires it. */
    expires_at: UpdateKey.properties.expires_at,
    preview: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
  },
  { additionalProperties: false },
)
export type BulkChange = Static<typeof BulkChange>

/** One key of a bulk change. */
export const BulkKey = Type.Object({
  /** The key after the change; in a preview, before it. */
  key: ApiKey,
  /** The new secret after `rotate`; no other answer contains it. */
  apiKey: Type.Optional(Type.String()),
  /** Error code when this key could not be changed; the other keys are changed nevertheless. */
  failed: Type.Optional(Type.String()),
  /** Body of `PUT /api/v1/internal/api-keys/{id}` that undoes the change; absent when it cannot be undone. */
  undo: Type.Optional(
    Type.Object({
      expires_at: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      is_active: Type.Optional(Type.Boolean()),
    }),
  ),
})
export type BulkKey = Static<typeof BulkKey>

export const BulkAnswer = Type.Object({
  /** True: nothing was changed. */
  is_preview: Type.Boolean(),
  /** Hex SHA-256 of the selection: the change is rejected if the selection has changed since. */
  preview: Type.String(),
  keys: Type.Array(BulkKey),
  /** Present when Redis did not respond: gateways apply every change within this time. */
  effective_within_seconds: Type.Optional(Type.Integer()),
})
export type BulkAnswer = Static<typeof BulkAnswer>
