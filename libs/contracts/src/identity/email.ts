import { type Static, Type } from 'typebox'
import { Email } from './http.ts'

/** 256 random bits from a mailed link, base64url. */
export const LinkToken = Type.String({ minLength: 43, maxLength: 43, pattern: '^[A-Za-z0-9_-]+$' })

/** `POST /api/v1/internal/user/verify-email` and `…/confirm-email-change`: single use. */
export const ConfirmLink = Type.Object({ token: LinkToken }, { additionalProperties: false })
export type ConfirmLink = Static<typeof ConfirmLink>

/** The verified address. */
export const ConfirmedEmail = Type.Object({ email: Type.String() })
export type ConfirmedEmail = Static<typeof ConfirmedEmail>

/**
 * `POST /api/v1/internal/user/change-email`: 403 for a wrong password; the response does not reveal other accounts'
 * addresses.
 */
export const ChangeEmail = Type.Object(
  { newEmail: Email, currentPassword: Type.String({ minLength: 1, maxLength: 1024 }) },
  { additionalProperties: false },
)
export type ChangeEmail = Static<typeof ChangeEmail>

/** Whether an account's address is verified, for config: `GET /internal/accounts/{id}/email`. */
export const EmailState = Type.Object({ email_verified: Type.Boolean() })
export type EmailState = Static<typeof EmailState>
