import { type Static, Type } from 'typebox'
import { SignedIn } from './http.ts'

/** 256 random bits, base64url. */
const Secret = Type.String({ minLength: 43, maxLength: 43, pattern: '^[A-Za-z0-9_-]+$' })
/** As the provider gave it: printable, or no header could carry it. */
const FromProvider = Type.String({ minLength: 1, maxLength: 4_096, pattern: '^[!-~]+$' })

/** `GET /api/v1/internal/oauth/google`: the browser goes to `authUrl` and keeps `binding`, which no address ever holds. */
export const ProviderSignIn = Type.Object({ authUrl: Type.String(), binding: Secret })
export type ProviderSignIn = Static<typeof ProviderSignIn>

/** `POST /api/v1/internal/oauth/google/callback`: without the binding of the browser that began, a state is worth nothing. */
export const FinishProviderSignIn = Type.Object(
  { code: FromProvider, state: Secret, binding: Secret, iss: Type.Optional(FromProvider) },
  { additionalProperties: false },
)
export type FinishProviderSignIn = Static<typeof FinishProviderSignIn>

export const ProviderSignedIn = Type.Object({ ...SignedIn.properties, isNewUser: Type.Boolean() })
export type ProviderSignedIn = Static<typeof ProviderSignedIn>

/** `POST /api/v1/internal/oauth/google/confirm`: after `oauth.password_needed`, by whoever owns the account. */
export const ConfirmLink = Type.Object(
  { state: Secret, binding: Secret, password: Type.String({ minLength: 1, maxLength: 1024 }) },
  { additionalProperties: false },
)
export type ConfirmLink = Static<typeof ConfirmLink>

/** `POST /api/v1/internal/oauth/google/disconnect`: a token that is sent must be the connected person's. */
export const DisconnectProvider = Type.Object(
  { accessToken: Type.Optional(FromProvider) },
  { additionalProperties: false },
)
export type DisconnectProvider = Static<typeof DisconnectProvider>
