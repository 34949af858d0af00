import { Type } from 'typebox'
import { defineEvent } from '../event.ts'
import { LeakOutcome, LeakPolicy } from './leaks.ts'

const aboutKey = { key_id: Type.String(), kid: Type.String(), account_id: Type.String(), name: Type.String() }
const versioned = {
  ...aboutKey,
  version: Type.Integer(),
  /** Replaced kids whose grace period had not ended before this change; they share the key's version. */
  graced_kids: Type.Optional(Type.Array(Type.String())),
}
const KeyFact = Type.Object(versioned)
/** Fields as presented to the key's owner. */
const Fields = Type.Record(Type.String(), Type.Unknown())

export const apiKeyCreated = defineEvent('api-key', 'api-key.created.v1', KeyFact)
export const apiKeyRevoked = defineEvent('api-key', 'api-key.revoked.v1', KeyFact)
export const apiKeyDeleted = defineEvent('api-key', 'api-key.deleted.v1', KeyFact)
/** `before` and `after` contain the changed fields. `version` is unchanged when gateways use none of them. */
export const apiKeyUpdated = defineEvent(
  'api-key',
  'api-key.updated.v1',
  Type.Object({ ...versioned, before: Fields, after: Fields }),
)
/**
 * `kid` is the new one. `replaced_kid` works until `replaced_until`; without that field it stops working immediately.
 * If it was never used, an older kid in its grace period keeps working instead: `kept_kid`, until `kept_until`.
 */
export const apiKeyRegenerated = defineEvent(
  'api-key',
  'api-key.regenerated.v1',
  Type.Object({
    ...versioned,
    replaced_kid: Type.String(),
    replaced_until: Type.Optional(Type.String()),
    kept_kid: Type.Optional(Type.String()),
    kept_until: Type.Optional(Type.String()),
  }),
)

const expiring = { ...aboutKey, expires_at: Type.String() }
/** Published 7 days and 1 day before the expiry, once each, and only when the expiry was set earlier than that. */
export const apiKeyExpiring = defineEvent(
  'api-key',
  'api-key.expiring.v1',
  Type.Object({ ...expiring, days_left: Type.Integer() }),
)
/** Published once per expiry. The key stopped working at its expiry, regardless of when this event is processed. */
export const apiKeyExpired = defineEvent('api-key', 'api-key.expired.v1', Type.Object(expiring))

/** First use of the key from this /24 or /48. The first network a key is ever used from is not reported. */
export const apiKeyUsedFromNewNetwork = defineEvent(
  'api-key',
  'api-key.used-from-new-network.v1',
  Type.Object({ ...aboutKey, network: Type.String() }),
)

/** The whole key was reported as found in public, at `url` if the report names it. */
export const apiKeyLeaked = defineEvent(
  'api-key',
  'api-key.leaked.v1',
  Type.Object({ ...aboutKey, outcome: LeakOutcome, url: Type.Union([Type.String(), Type.Null()]) }),
)

/** Subject: the account. */
export const leakPolicyChanged = defineEvent(
  'api-key',
  'api-key.leak-policy-changed.v1',
  Type.Object({ account_id: Type.String(), before: LeakPolicy, after: LeakPolicy }),
)

/** Events whose subject is a key. */
export const apiKeyEvents = [
  apiKeyCreated,
  apiKeyUpdated,
  apiKeyRevoked,
  apiKeyDeleted,
  apiKeyRegenerated,
  apiKeyExpiring,
  apiKeyExpired,
  apiKeyUsedFromNewNetwork,
  apiKeyLeaked,
]
