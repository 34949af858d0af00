import { type Static, Type } from 'typebox'
import { NewPassword } from './http.ts'

/** Composition rules hold for a password that is set anew, as specified; sign-up asks for length only. */
const ResetPasswordText = NewPassword
/** 256 random bits, base64url. */
const ResetToken = Type.String({ minLength: 43, maxLength: 43, pattern: '^[A-Za-z0-9_-]+$' })

/** `POST /api/v1/internal/user/change-password`: a wrong current password is 403, never the end of the session. */
export const ChangePassword = Type.Object(
  { currentPassword: Type.String({ minLength: 1, maxLength: 1024 }), newPassword: ResetPasswordText },
  { additionalProperties: false },
)
export type ChangePassword = Static<typeof ChangePassword>

/** How many other sessions ended with the old password. `effective_within_seconds`: Redis could not be told at once. */
export const ChangedPassword = Type.Object({
  sessions_ended: Type.Integer(),
  effective_within_seconds: Type.Optional(Type.Integer()),
})
export type ChangedPassword = Static<typeof ChangedPassword>

/** `POST /api/v1/internal/user/forgot-password`: the answer does not tell whether anybody has that address. */
export const ForgotPassword = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 254 }) },
  { additionalProperties: false },
)
export type ForgotPassword = Static<typeof ForgotPassword>

/** `GET /api/v1/internal/user/verify-reset-token`: any text may be asked about. */
export const VerifyResetToken = Type.Object(
  { token: Type.String({ minLength: 1, maxLength: 200 }) },
  { additionalProperties: false },
)
export type VerifyResetToken = Static<typeof VerifyResetToken>

export const ResetTokenState = Type.Object({ valid: Type.Boolean(), email: Type.Union([Type.String(), Type.Null()]) })
export type ResetTokenState = Static<typeof ResetTokenState>

/** `POST /api/v1/internal/user/reset-password`. */
export const ResetPassword = Type.Object(
  { token: ResetToken, newPassword: ResetPasswordText },
  { additionalProperties: false },
)
export type ResetPassword = Static<typeof ResetPassword>

/** `effective_within_seconds`: Redis could not be told at once that the old sessions have ended. */
export const PasswordIsReset = Type.Object({ effective_within_seconds: Type.Optional(Type.Integer()) })
export type PasswordIsReset = Static<typeof PasswordIsReset>
