import { Type } from 'typebox'
import { defineEvent } from '../event.ts'

const aboutKey = { key_id: Type.String(), kid: Type.String(), account_id: Type.String(), name: Type.String() }
const versioned = {
  ...aboutKey,
  version: Type.Integer(),
  /** Replaced kids that worked for a while yet: the version is theirs, too. */
  graced_kids: Type.Optional(Type.Array(Type.String())),
}
const KeyFact = Type.Object(versioned)
/** Fields as the key's owner sees them. */
const Fields = Type.Record(Type.String(), Type.Unknown())

export const apiKeyCreated = defineEvent('api-key', 'api-key.created.v1', KeyFact)
export const apiKeyRevoked = defineEvent('api-key', 'api-key.revoked.v1', KeyFact)
export const apiKeyDeleted = defineEvent('api-key', 'api-key.deleted.v1', KeyFact)
/** `before` and `after` hold the fields that changed; `version` is the old one when gateways compile none of them. */
export const apiKeyUpdated = defineEvent(
  'api-key',
  'api-key.updated.v1',
  Type.Object({ ...versioned, before: Fields, after: Fields }),
)
/** `kid` is the new one; `replaced_kid` works until `replaced_until`, or stops at once where that is left out. */
export const apiKeyRegenerated = defineEvent(
  'api-key',
  'api-key.regenerated.v1',
  Type.Object({ ...versioned, replaced_kid: Type.String(), replaced_until: Type.Optional(Type.String()) }),
)

const expiring = { ...aboutKey, expires_at: Type.String() }
/** Once 7 days and once 1 day before, and only when the expiry was set before that. */
export const apiKeyExpiring = defineEvent(
  'api-key',
  'api-key.expiring.v1',
  Type.Object({ ...expiring, days_left: Type.Integer() }),
)
/** Once for each expiry that a key had. It stopped working by the clock, whenever this is heard. */
export const apiKeyExpired = defineEvent('api-key', 'api-key.expired.v1', Type.Object(expiring))

/** Seen from a /24 or /48 where the key was not used before; its very first network is no news. */
export const apiKeyUsedFromNewNetwork = defineEvent(
  'api-key',
  'api-key.used-from-new-network.v1',
  Type.Object({ ...aboutKey, network: Type.String() }),
)

export const apiKeyEvents = [
  apiKeyCreated,
  apiKeyUpdated,
  apiKeyRevoked,
  apiKeyDeleted,
  apiKeyRegenerated,
  apiKeyExpiring,
  apiKeyExpired,
  apiKeyUsedFromNewNetwork,
]
