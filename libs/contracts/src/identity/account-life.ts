import { type Static, Type } from 'typebox'
import { LinkToken } from './email.ts'

/** `DELETE /api/v1/internal/user/account`: a wrong password is 403. */
export const RequestDeletion = Type.Object(
  { currentPassword: Type.String({ minLength: 1, maxLength: 1024 }) },
  { additionalProperties: false },
)
export type RequestDeletion = Static<typeof RequestDeletion>

/** Until `due_at` signing in keeps the account. `effective_within_seconds`: Redis could not be told at once. */
export const RequestedDeletion = Type.Object({
  due_at: Type.String(),
  effective_within_seconds: Type.Optional(Type.Integer()),
})
export type RequestedDeletion = Static<typeof RequestedDeletion>

const Moment = Type.Union([Type.String(), Type.Null()])

/** `POST` and `GET /api/v1/internal/user/export`: the newest one. It is gone after `expires_at`. */
export const AccountExport = Type.Object({
  id: Type.String(),
  state: Type.Enum(['running', 'ready', 'failed']),
  requested_at: Type.String(),
  ready_at: Moment,
  expires_at: Moment,
})
export type AccountExport = Static<typeof AccountExport>

/** `POST /api/v1/internal/user/export/open`: by the link of the mail, whoever is signed in; works until it expires. */
export const OpenExport = Type.Object({ token: LinkToken }, { additionalProperties: false })
export type OpenExport = Static<typeof OpenExport>

/** What the file holds. Never a secret: of keys and sessions only what their owner is shown. */
export const ExportFile = Type.Object({
  format: Type.Literal('tapeline-account/1'),
  made_at: Type.String(),
  profile: Type.Record(Type.String(), Type.Unknown()),
  sessions: Type.Array(Type.Unknown()),
  api_keys: Type.Array(Type.Unknown()),
  subscription: Type.Record(Type.String(), Type.Unknown()),
  settings: Type.Unknown(),
  usage: Type.Record(Type.String(), Type.Unknown()),
})
export type ExportFile = Static<typeof ExportFile>
