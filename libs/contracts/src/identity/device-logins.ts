import { type Static, Type } from 'typebox'
import { Name } from './http.ts'

/** How long a code can be approved, and the polling interval of the program that shows it. */
export const DEVICE_LOGIN_SECONDS = { life: 600, interval: 5 } as const
/** Consonants without those that look alike: no words, about 34 bits. */
export const USER_CODE_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'

/** The code as it is displayed: two groups of four letters. */
const UserCode = Type.String({ pattern: `^[${USER_CODE_LETTERS}]{4}-[${USER_CODE_LETTERS}]{4}$` })

/** `POST /api/v1/internal/user/device-logins`: a program without a browser starts a sign-in (as in RFC 8628). */
export const StartDeviceLogin = Type.Object({ client_name: Name }, { additionalProperties: false })
export type StartDeviceLogin = Static<typeof StartDeviceLogin>

export const StartedDeviceLogin = Type.Object({
  device_code: Type.String(),
  user_code: UserCode,
  verification_uri: Type.String(),
  verification_uri_complete: Type.String(),
  expires_in: Type.Integer(),
  interval: Type.Integer(),
})
export type StartedDeviceLogin = Static<typeof StartedDeviceLogin>

/** `POST /api/v1/internal/user/device-logins/finish`: repeated every `interval` seconds until the code is decided. */
export const FinishDeviceLogin = Type.Object(
  { device_code: Type.String({ minLength: 20, maxLength: 200 }) },
  { additionalProperties: false },
)
export type FinishDeviceLogin = Static<typeof FinishDeviceLogin>

export const DeviceLoginPath = Type.Object({ user_code: UserCode })

/** `GET /api/v1/internal/user/device-logins/{user_code}`: what a person sees before deciding. */
export const DeviceLogin = Type.Object({
  user_code: UserCode,
  client_name: Type.String(),
  /** Network of the program, /24 or /48. */
  network: Type.Union([Type.String(), Type.Null()]),
  created_at: Type.String(),
  expires_at: Type.String(),
})
export type DeviceLogin = Static<typeof DeviceLogin>

/** `PUT /api/v1/internal/user/device-logins/{user_code}`. */
export const DecideDeviceLogin = Type.Object(
  { decision: Type.Enum(['approve', 'deny'] as const) },
  { additionalProperties: false },
)
export type DecideDeviceLogin = Static<typeof DecideDeviceLogin>
