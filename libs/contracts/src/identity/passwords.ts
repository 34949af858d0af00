import { type Static, Type } from 'typebox'
import { NewPassword } from './http.ts'

/** Composition rules apply to password resets, as specified; sign-up requires only a length. */
const ResetPasswordText = NewPassword
/** Any text: a malformed token gets the same response as an expired one. */
const ResetToken = Type.String()

/** `POST /api/v1/internal/user/change-password`: a wrong current password is 403 and does not end the session. */
export const ChangePassword = Type.Object(
  { currentPassword: Type.String({ minLength: 1, maxLength: 1024 }), newPassword: ResetPasswordText },
  { additionalProperties: false },
)
export type ChangePassword = Static<typeof ChangePassword>

/**
 * Number of other sessions that ended. `deviceToken` replaces the browser's earlier one, which the new password
 * invalidates. `effective_within_seconds` is present when the write to Redis failed.
 */
export const ChangedPassword = Type.Object({
  sessions_ended: Type.Integer(),
  deviceToken: Type.String(),
  effective_within_seconds: Type.Optional(Type.Integer()),
})
export type ChangedPassword = Static<typeof ChangedPassword>

/** `POST /api/v1/internal/user/forgot-password`: the response does not reveal whether the address has an account. */
export const ForgotPassword = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 254 }) },
  { additionalProperties: false },
)
export type ForgotPassword = Static<typeof ForgotPassword>

/** `GET /api/v1/internal/user/verify-reset-token`: accepts any text; `valid: false` unless it is a valid token. */
export const VerifyResetToken = Type.Object({ token: ResetToken }, { additionalProperties: false })
export type VerifyResetToken = Static<typeof VerifyResetToken>

export const ResetTokenState = Type.Object({ valid: Type.Boolean(), email: Type.Union([Type.String(), Type.Null()]) })
export type ResetTokenState = Static<typeof ResetTokenState>

/** `POST /api/v1/internal/user/reset-password`. */
export const ResetPassword = Type.Object(
  { token: ResetToken, newPassword: ResetPasswordText },
  { additionalProperties: false },
)
export type ResetPassword = Static<typeof ResetPassword>

/**
 * `deviceToken` is sent with the next sign-in, so that wrong passwords from other devices do not delay it.
 * `effective_within_seconds`: Redis was unavailable, so the old sessions end within that time.
 */
export const PasswordIsReset = Type.Object({
  deviceToken: Type.String(),
  effective_within_seconds: Type.Optional(Type.Integer()),
})
export type PasswordIsReset = Static<typeof PasswordIsReset>
