import { type Static, Type } from 'typebox'
import { Role } from '../actor.ts'

export const ACCESS_TOKEN_ISSUER = 'tapeline-identity'
export const ACCESS_TOKEN_AUDIENCE = 'tapeline'
/** Header `typ` (RFC 9068): no other token of ours can be taken for an access token. */
export const ACCESS_TOKEN_TYPE = 'at+jwt'
export const ACCESS_TOKEN_ALGORITHM = 'RS256'
export const ACCESS_TOKEN_LIFE_SECONDS = 15 * 60

/** What an access token says; `sid` is the session, nothing else in it is personal. */
export const AccessTokenClaims = Type.Object({
  iss: Type.Literal(ACCESS_TOKEN_ISSUER),
  aud: Type.Literal(ACCESS_TOKEN_AUDIENCE),
  sub: Type.String({ minLength: 1 }),
  sid: Type.String({ minLength: 1 }),
  jti: Type.String({ minLength: 1 }),
  iat: Type.Integer(),
  exp: Type.Integer(),
  role: Role,
})
export type AccessTokenClaims = Static<typeof AccessTokenClaims>

/** `GET /.well-known/jwks.json` (RFC 7517): every key whose tokens may still be alive. */
export const PublicKeys = Type.Object({
  keys: Type.Array(
    Type.Object({
      kty: Type.Literal('RSA'),
      use: Type.Literal('sig'),
      alg: Type.Literal(ACCESS_TOKEN_ALGORITHM),
      kid: Type.String(),
      n: Type.String(),
      e: Type.String(),
    }),
  ),
})
export type PublicKeys = Static<typeof PublicKeys>
