import { type Static, Type } from 'typebox'
import { SignedIn } from './http.ts'

/** 256 random bits, base64url. */
const Secret = Type.String({ minLength: 43, maxLength: 43, pattern: '^[A-Za-z0-9_-]+$' })
/** Value from the provider: printable ASCII, as HTTP headers require. */
const FromProvider = Type.String({ minLength: 1, maxLength: 4_096, pattern: '^[!-~]+$' })

/**
 * `GET /api/v1/internal/oauth/google`: the browser opens `authUrl` and stores `binding`, which never appears in a
 * URL.
 */
export const ProviderSignIn = Type.Object({ authUrl: Type.String(), binding: Secret })
export type ProviderSignIn = Static<typeof ProviderSignIn>

/**
 * `POST /api/v1/internal/oauth/google/callback`: a state is accepted only with the binding of the browser that
 * started the flow.
 */
export const FinishProviderSignIn = Type.Object(
  { code: FromProvider, state: Secret, binding: Secret, iss: Type.Optional(FromProvider) },
  { additionalProperties: false },
)
export type FinishProviderSignIn = Static<typeof FinishProviderSignIn>

export const ProviderSignedIn = Type.Object({ ...SignedIn.properties, isNewUser: Type.Boolean() })
export type ProviderSignedIn = Static<typeof ProviderSignedIn>

/** `POST /api/v1/internal/oauth/google/confirm`: after `oauth.password_needed`, with the account's password. */
export const ConfirmLink = Type.Object(
  { state: Secret, binding: Secret, password: Type.String({ minLength: 1, maxLength: 1024 }) },
  { additionalProperties: false },
)
export type ConfirmLink = Static<typeof ConfirmLink>

/** `POST /api/v1/internal/oauth/google/disconnect`: an `access_token`, if sent, must belong to the linked identity. */
export const DisconnectProvider = Type.Object(
  { accessToken: Type.Optional(FromProvider) },
  { additionalProperties: false },
)
export type DisconnectProvider = Static<typeof DisconnectProvider>
