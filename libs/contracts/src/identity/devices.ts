import { type Static, Type } from 'typebox'

/** `POST /api/v1/internal/user/device-link`: the response does not reveal whether the address has an account. */
export const RequestDeviceLink = Type.Object(
  { email: Type.String({ minLength: 1, maxLength: 254 }) },
  { additionalProperties: false },
)
export type RequestDeviceLink = Static<typeof RequestDeviceLink>

/** `POST /api/v1/internal/user/trust-device`: a malformed token gets the same response as an expired one. */
export const TrustDevice = Type.Object({ token: Type.String() }, { additionalProperties: false })
export type TrustDevice = Static<typeof TrustDevice>

/** `deviceToken` is sent with the next sign-in; it grants no access by itself. */
export const TrustedDevice = Type.Object({ email: Type.String(), deviceToken: Type.String() })
export type TrustedDevice = Static<typeof TrustedDevice>
