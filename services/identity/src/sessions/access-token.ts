import jwt from '@fastify/jwt'
import type { Role } from '@tapeline/contracts/actor'
import {
  ACCESS_TOKEN_ALGORITHM,
  ACCESS_TOKEN_AUDIENCE,
  ACCESS_TOKEN_ISSUER,
  ACCESS_TOKEN_LIFE_SECONDS,
  ACCESS_TOKEN_TYPE,
  type AccessTokenClaims,
} from '@tapeline/contracts/identity/access-token'
import type { Server } from '@tapeline/service/create-server'
import type { Deps } from '../deps.ts'
import type { SigningKeys } from './signing-keys.ts'

export type TokenSubject = { userId: string; role: Role; sessionId: string }
export type AccessToken = { jwtToken: string; expiresAt: number }
export type AccessTokenSigner = (subject: TokenSubject) => Promise<AccessToken>

/** Registers @fastify/jwt; each token is signed with the current key, which `kid` names. */
export async function createAccessTokenSigner(
  app: Server,
  keys: SigningKeys,
  { now, newId }: Pick<Deps, 'now' | 'newId'>,
): Promise<AccessTokenSigner> {
  const privateKey = async () => (await keys.current()).privateKeyPem
  await app.register(jwt, {
    secret: { private: privateKey, public: privateKey },
    sign: { algorithm: ACCESS_TOKEN_ALGORITHM },
    verify: { algorithms: [ACCESS_TOKEN_ALGORITHM] },
  })
  return async ({ userId, role, sessionId }) => {
    const { kid, privateKeyPem } = await keys.current()
    const iat = Math.floor(now().getTime() / 1_000)
    const exp = iat + ACCESS_TOKEN_LIFE_SECONDS
    const claims: AccessTokenClaims = {
      iss: ACCESS_TOKEN_ISSUER,
      aud: ACCESS_TOKEN_AUDIENCE,
      sub: userId,
      sid: sessionId,
      jti: newId(),
      iat,
      exp,
      role,
    }
    const header = { alg: ACCESS_TOKEN_ALGORITHM, typ: ACCESS_TOKEN_TYPE }
    return { jwtToken: app.jwt.sign(claims, { key: privateKeyPem, kid, header }), expiresAt: exp * 1_000 }
  }
}
