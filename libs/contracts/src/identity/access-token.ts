import { type Static, Type } from 'typebox'
import { Role } from '../actor.ts'

export const ACCESS_TOKEN_ISSUER = 'tapeline-identity'
export const ACCESS_TOKEN_AUDIENCE = 'tapeline'
/** Header `typ` (RFC 9068): prevents other tokens of the platform from being accepted as access tokens. */
export const ACCESS_TOKEN_TYPE = 'at+jwt'
export const ACCESS_TOKEN_ALGORITHM = 'RS256'
export const ACCESS_TOKEN_LIFE_SECONDS = 15 * 60

/** Claims of an access token. `sid` is the session; the token contains no personal data. */
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

/** `GET /.well-known/jwks.json` (RFC 7517): every key whose tokens may still be valid. */
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
