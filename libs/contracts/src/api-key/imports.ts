import { type Static, Type } from 'typebox'
import { ApiKey, CreateKey, ExternalId } from './http.ts'

export const IMPORTED_KEYS_MAX = 100
const { environment: _environment, kind: _kind, ...fields } = CreateKey.properties

const ImportedKey = Type.Object(
  {
    /** SHA-256 of the whole key: 64 hexadecimal digits, or base64. */
    sha256: Type.String({ pattern: '^([0-9a-fA-F]{64}|[A-Za-z0-9+/]{43}=)$' }),
    /** First characters of the key, to recognize it by. */
    prefix: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{1,12}$' })),
    ...fields,
    external_id: Type.Optional(ExternalId),
    is_active: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type ImportedKey = Static<typeof ImportedKey>

/**
 * `POST /api/v1/internal/api-keys/import`: market-data keys that another gateway issued, by their hashes. Clients keep the
 * keys that they have. The keys must be random: at least 16 characters, so that they cannot be guessed.
 */
export const ImportKeys = Type.Object(
  { keys: Type.Array(ImportedKey, { minItems: 1, maxItems: IMPORTED_KEYS_MAX }) },
  { additionalProperties: false },
)
export type ImportKeys = Static<typeof ImportKeys>

export const ImportOutcome = Type.Object({
  outcome: Type.Enum(['imported', 'existed', 'failed'] as const),
  /** Absent when the import of this key failed. */
  key: Type.Optional(ApiKey),
  /** Error code and message when it failed; the other keys are imported nevertheless. */
  code: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
})
export type ImportOutcome = Static<typeof ImportOutcome>

/** One outcome per key, in the order of the body. */
export const ImportedKeys = Type.Object({ imported: Type.Integer(), keys: Type.Array(ImportOutcome) })
export type ImportedKeys = Static<typeof ImportedKeys>
