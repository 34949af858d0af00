import { type Static, Type } from 'typebox'

export const LEAKED_KEYS_MAX = 100

/** `POST /api/v1/leaked-keys`: keys that were found in public. The whole key is the proof, so no credential is needed. */
export const ReportLeakedKeys = Type.Object(
  {
    keys: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: LEAKED_KEYS_MAX }),
    /** URL at which the keys were found; shown to their owners. */
    url: Type.Optional(Type.String({ maxLength: 500, pattern: '^https://[\\x21-\\x7e]+$' })),
  },
  { additionalProperties: false },
)
export type ReportLeakedKeys = Static<typeof ReportLeakedKeys>

/** The answer is the same for keys that exist and keys that do not. */
export const LeakedKeysReceived = Type.Object({ received: Type.Integer() })
export type LeakedKeysReceived = Static<typeof LeakedKeysReceived>

/** What happens to a key that is reported as leaked: it is revoked, or its owner is only warned. */
export const LEAK_ACTIONS = ['revoke', 'warn'] as const
export type LeakAction = (typeof LEAK_ACTIONS)[number]
export const LEAK_ACTION_DEFAULT: LeakAction = 'revoke'

/** `GET` and `PUT /api/v1/internal/api-keys/leak-policy`. */
export const LeakPolicy = Type.Object({ action: Type.Enum([...LEAK_ACTIONS]) }, { additionalProperties: false })
export type LeakPolicy = Static<typeof LeakPolicy>

/** `old_secret_ended`: the leaked secret had been replaced; the key continues with its new one. */
export const LeakOutcome = Type.Enum(['revoked', 'old_secret_ended', 'warned'] as const)
export type LeakOutcome = Static<typeof LeakOutcome>
