import { type Static, Type } from 'typebox'
import { Role } from '../actor.ts'
import { Version } from './version.ts'

/**
 * Flags enforced by servers: while one is off for the caller, the calls that require it fail with `feature.disabled`.
 */
export const SERVER_FLAGS = ['api_key_management', 'api_key_audit'] as const
export type ServerFlag = (typeof SERVER_FLAGS)[number]

/** No NUL and no lone surrogate: PostgreSQL cannot store them. */
const WRITABLE = '^[^\\u0000\\p{Cs}]*$'
const Text = (maxLength: number) => Type.String({ maxLength, pattern: WRITABLE })
export const Reason = Text(300)
const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])
/** Not blank and without line breaks, so that a key cannot forge a log line. Lowercase snake_case by convention. */
const FlagKey = Type.String({ maxLength: 100, pattern: '^(?!\\s*$)[^\\p{Cc}\\p{Cs}]*$' })
const Description = Nullable(Text(500))
const Percent = Type.Number({ minimum: 0, maximum: 100 })
const Time = Nullable(Type.String({ format: 'date-time', maxLength: 40 }))

export const FlagMetadata = Type.Object(
  {
    category: Type.Optional(Text(80)),
    priority: Type.Optional(Type.Integer({ minimum: -1_000_000, maximum: 1_000_000 })),
  },
  { additionalProperties: false },
)
export type FlagMetadata = Static<typeof FlagMetadata>

/** The conditions under which a flag is on for a user; times are RFC 3339, the end is exclusive. */
const rule = {
  enabled: Type.Boolean(),
  /** Also on for visitors who are not signed in. */
  is_public: Type.Boolean(),
  description: Description,
  metadata: FlagMetadata,
  /** Percentage of accounts for which the flag is on. The assignment is stable. */
  rollout_percent: Percent,
  enabled_from: Time,
  enabled_until: Time,
}

export const FlagRule = Type.Object({ key: Type.String(), role: Role, ...rule })
export type FlagRule = Static<typeof FlagRule>

/** A flag as admins see it. */
export const AdminFlag = Type.Object({
  id: Type.String(),
  flag_key: Type.String(),
  role: Role,
  ...rule,
  /** False: removed, so it is off for every user. */
  is_active: Type.Boolean(),
  /** Incremented by each change. */
  version: Type.Integer(),
  created_at: Type.String(),
  updated_at: Type.String(),
})
export type AdminFlag = Static<typeof AdminFlag>

export const AdminFlagList = Type.Array(AdminFlag)

export const ListFlagsQuery = Type.Object(
  {
    /** True: include removed flags. */
    removed: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type ListFlagsQuery = Static<typeof ListFlagsQuery>

const changeable = {
  description: Type.Optional(Description),
  metadata: Type.Optional(FlagMetadata),
  is_public: Type.Optional(Type.Boolean()),
  rollout_percent: Type.Optional(Percent),
  enabled_from: Type.Optional(Time),
  enabled_until: Type.Optional(Time),
  reason: Type.Optional(Reason),
}

/** `POST /api/v1/admin/feature-flags`. */
export const CreateFlag = Type.Object(
  {
    flag_key: FlagKey,
    role: Type.Optional(Role),
    enabled: Type.Optional(Type.Boolean()),
    ...changeable,
  },
  { additionalProperties: false },
)
export type CreateFlag = Static<typeof CreateFlag>

/** `PATCH /api/v1/admin/feature-flags`: absent fields keep their value; `is_active: false` removes the flag. */
export const UpdateFlag = Type.Object(
  {
    flagId: Type.String({ format: 'uuid' }),
    enabled: Type.Optional(Type.Boolean()),
    is_active: Type.Optional(Type.Boolean()),
    ...changeable,
    /** The version that was edited; 409 when the flag has changed since. */
    version: Type.Optional(Version),
  },
  { additionalProperties: false },
)
export type UpdateFlag = Static<typeof UpdateFlag>

/** Reverts the newest change; 409 when `version` is sent and is not the newest. */
export const UndoFlag = Type.Object(
  { version: Type.Optional(Version), reason: Type.Optional(Reason) },
  { additionalProperties: false },
)
export type UndoFlag = Static<typeof UndoFlag>

export const FlagState = Type.Omit(AdminFlag, ['id', 'version', 'created_at', 'updated_at'])
export type FlagState = Static<typeof FlagState>

export const FlagChange = Type.Object({
  version: Type.Integer(),
  /** null: the flag did not exist. */
  before: Nullable(FlagState),
  after: FlagState,
  changed_by: Nullable(Type.String()),
  changed_at: Type.String(),
  reason: Nullable(Type.String()),
})
export type FlagChange = Static<typeof FlagChange>

/** Newest first. */
export const FlagHistory = Type.Object({ flag: AdminFlag, changes: Type.Array(FlagChange) })
export type FlagHistory = Static<typeof FlagHistory>

export const AffectedQuery = Type.Object(
  {
    flag_key: FlagKey,
    role: Type.Optional(Role),
    rollout_percent: Type.Optional(Percent),
  },
  { additionalProperties: false },
)
export type AffectedQuery = Static<typeof AffectedQuery>

/** Number of active accounts that a flag with this key, role and share would reach, out of those with that role. */
export const Affected = Type.Object({ accounts: Type.Integer(), of: Type.Integer() })
export type Affected = Static<typeof Affected>

/** `POST /internal/accounts/count`, served by identity. */
export const AccountCountRequest = Type.Object(
  { role: Role, key: Type.String({ minLength: 1, maxLength: 100 }), percent: Percent },
  { additionalProperties: false },
)
export type AccountCountRequest = Static<typeof AccountCountRequest>
