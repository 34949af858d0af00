import { Type } from 'typebox'
import { defineEvent } from '../event.ts'

const KeyFact = Type.Object({
  key_id: Type.String(),
  kid: Type.String(),
  account_id: Type.String(),
  name: Type.String(),
  version: Type.Integer(),
})

export const apiKeyCreated = defineEvent('api-key', 'api-key.created.v1', KeyFact)
export const apiKeyRevoked = defineEvent('api-key', 'api-key.revoked.v1', KeyFact)
export const apiKeyDeleted = defineEvent('api-key', 'api-key.deleted.v1', KeyFact)
/** `kid` is the new one; `replaced_kid` stops working at once. */
export const apiKeyRegenerated = defineEvent(
  'api-key',
  'api-key.regenerated.v1',
  Type.Object({
    key_id: Type.String(),
    kid: Type.String(),
    replaced_kid: Type.String(),
    account_id: Type.String(),
    name: Type.String(),
    version: Type.Integer(),
  }),
)

export const apiKeyEvents = [apiKeyCreated, apiKeyRevoked, apiKeyDeleted, apiKeyRegenerated]
