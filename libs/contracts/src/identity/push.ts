import { type Static, Type } from 'typebox'

/** 65 bytes, an uncompressed point of P-256, and 16 bytes, both base64url (RFC 8291). */
const PublicKey = Type.String({ minLength: 87, maxLength: 88, pattern: '^[A-Za-z0-9_-]+=?$' })
const AuthSecret = Type.String({ minLength: 22, maxLength: 24, pattern: '^[A-Za-z0-9_-]+={0,2}$' })
const Endpoint = Type.String({ minLength: 1, maxLength: 1_000 })

/** `POST /api/v1/internal/user/push-subscriptions`: the output of the browser's `PushSubscription.toJSON()`. */
export const SubscribeToPush = Type.Object(
  {
    endpoint: Endpoint,
    expirationTime: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
    keys: Type.Object({ p256dh: PublicKey, auth: AuthSecret }, { additionalProperties: false }),
  },
  { additionalProperties: false },
)
export type SubscribeToPush = Static<typeof SubscribeToPush>

export const PushSubscribed = Type.Object({ id: Type.String() })
export type PushSubscribed = Static<typeof PushSubscribed>

/** `DELETE /api/v1/internal/user/push-subscriptions`: sent in the body, because an endpoint is a credential. */
export const UnsubscribeFromPush = Type.Object({ endpoint: Endpoint }, { additionalProperties: false })
export type UnsubscribeFromPush = Static<typeof UnsubscribeFromPush>

export const PushUnsubscribed = Type.Object({ removed: Type.Integer() })
export type PushUnsubscribed = Static<typeof PushUnsubscribed>

/** `GET /api/v1/internal/user/push-key`: the `applicationServerKey` to subscribe with. */
export const PushKey = Type.Object({ publicKey: Type.String() })
export type PushKey = Static<typeof PushKey>

/** Decrypted content of a push message, shown by the web's push-worker.js. */
export const PushMessage = Type.Object({
  title: Type.String(),
  body: Type.String(),
  /** Path of the page to open. */
  path: Type.String(),
  /** A message with the same tag replaces the visible one. */
  tag: Type.String(),
  lang: Type.String(),
})
export type PushMessage = Static<typeof PushMessage>
