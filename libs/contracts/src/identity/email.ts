import { type Static, Type } from 'typebox'
import { Email } from './http.ts'

/** 256 bits from a mail, base64url. */
export const LinkToken = Type.String({ minLength: 43, maxLength: 43, pattern: '^[A-Za-z0-9_-]+$' })

/** `POST /api/v1/internal/user/verify-email` and `…/confirm-email-change`: the link is used up. */
export const ConfirmLink = Type.Object({ token: LinkToken }, { additionalProperties: false })
export type ConfirmLink = Static<typeof ConfirmLink>

/** The address that is verified now. */
export const ConfirmedEmail = Type.Object({ email: Type.String() })
export type ConfirmedEmail = Static<typeof ConfirmedEmail>

/** `POST /api/v1/internal/user/change-email`: a wrong password is 403; the answer tells of nobody else's address. */
export const ChangeEmail = Type.Object(
  { newEmail: Email, currentPassword: Type.String({ minLength: 1, maxLength: 1024 }) },
  { additionalProperties: false },
)
export type ChangeEmail = Static<typeof ChangeEmail>

/** Whether an account's address is verified, for config: `GET /internal/accounts/{id}/email`. */
export const EmailState = Type.Object({ email_verified: Type.Boolean() })
export type EmailState = Static<typeof EmailState>
