import { type Static, Type } from 'typebox'
import { Role } from '../actor.ts'
import { UserStatus } from './http.ts'

/** A user as presented to admins. */
export const AdminUser = Type.Object({
  id: Type.String(),
  email: Type.String(),
  first_name: Type.String(),
  last_name: Type.String(),
  role: Role,
  status: UserStatus,
  email_verified: Type.Boolean(),
  created_at: Type.String(),
  last_login_at: Type.Union([Type.String(), Type.Null()]),
})
export type AdminUser = Static<typeof AdminUser>

/** `GET /api/v1/admin/users`: newest first. A cursor continues after the previous page, with the same filter. */
export const ListUsersQuery = Type.Object(
  {
    /** Part of an e-mail address or a name, or a whole account id. */
    search: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    role: Type.Optional(Role),
    status: Type.Optional(UserStatus),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  },
  { additionalProperties: false },
)
export type ListUsersQuery = Static<typeof ListUsersQuery>

export const UserPage = Type.Object({
  users: Type.Array(AdminUser),
  /** null: this was the last page. */
  next_cursor: Type.Union([Type.String(), Type.Null()]),
})
export type UserPage = Static<typeof UserPage>

/** `PATCH /api/v1/admin/users`: a role, a status, or both. */
export const ChangeUser = Type.Object(
  {
    userId: Type.String({ format: 'uuid', maxLength: 36 }),
    role: Type.Optional(Role),
    status: Type.Optional(UserStatus),
  },
  { additionalProperties: false, minProperties: 2 },
)
export type ChangeUser = Static<typeof ChangeUser>

/** `effective_within_seconds` is present when the write to Redis failed. */
export const ChangedUser = Type.Object({
  user: AdminUser,
  effective_within_seconds: Type.Optional(Type.Integer()),
})
export type ChangedUser = Static<typeof ChangedUser>
