import { type Static, Type } from 'typebox'
import { LinkToken } from './email.ts'

/** `DELETE /api/v1/internal/user/account`: 403 for a wrong password. */
export const RequestDeletion = Type.Object(
  { currentPassword: Type.String({ minLength: 1, maxLength: 1024 }) },
  { additionalProperties: false },
)
export type RequestDeletion = Static<typeof RequestDeletion>

/**
 * Signing in before `due_at` cancels the deletion. `effective_within_seconds` is present when the write to Redis
 * failed.
 */
export const RequestedDeletion = Type.Object({
  due_at: Type.String(),
  effective_within_seconds: Type.Optional(Type.Integer()),
})
export type RequestedDeletion = Static<typeof RequestedDeletion>

const Moment = Type.Union([Type.String(), Type.Null()])

/** `POST` and `GET /api/v1/internal/user/export`: the newest export. It is deleted after `expires_at`. */
export const AccountExport = Type.Object({
  id: Type.String(),
  state: Type.Enum(['running', 'ready', 'failed']),
  requested_at: Type.String(),
  ready_at: Moment,
  expires_at: Moment,
})
export type AccountExport = Static<typeof AccountExport>

/**
 * `POST /api/v1/internal/user/export/open`: authorized by the mailed link, independent of the session; works until it
 * expires.
 */
export const OpenExport = Type.Object({ token: LinkToken }, { additionalProperties: false })
export type OpenExport = Static<typeof OpenExport>

/**
 * Content of the export file (docs/accounts.md names what is not part of it). It contains no secrets: only the fields of
 * keys and sessions that their owner can see.
 */
export const ExportFile = Type.Object({
  format: Type.Literal('tapeline-account/1'),
  made_at: Type.String(),
  profile: Type.Record(Type.String(), Type.Unknown()),
  sessions: Type.Array(Type.Unknown()),
  /** Where the account was used in the last 180 days; absent in files of earlier versions. */
  known_devices: Type.Optional(Type.Array(Type.Unknown())),
  api_keys: Type.Array(Type.Unknown()),
  subscription: Type.Record(Type.String(), Type.Unknown()),
  settings: Type.Unknown(),
  usage: Type.Record(Type.String(), Type.Unknown()),
})
export type ExportFile = Static<typeof ExportFile>
