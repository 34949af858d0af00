import { AppError } from '@tapeline/service/app-error'
import {
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  type Configuration,
  fetchUserInfo,
  skipSubjectCheck,
  tokenRevocation,
} from 'openid-client'
import { type ProviderIdentity, providerIdentityOf } from './provider-identity.ts'
import { cacheDiscovery } from './cache-discovery.ts'
import { providerUnavailable, isTokenInvalid, isUserError } from './provider-failure.ts'
import type { ProviderSettings } from './provider-settings.ts'

/** Secrets of a sign-in, shared by the browser that started it and this server. */
export type Checks = { state: string; nonce: string; verifier: string }
export type Returned = { code: string; iss: string | undefined }

export type Provider = {
  authorizationUrl: (checks: Checks) => Promise<string>
  /** Redeems the code; checks signature, issuer, audience, nonce and times of the ID token. */
  redeem: (checks: Checks, returned: Returned) => Promise<ProviderIdentity>
  /** The subject of an access token; undefined when the provider rejects it. */
  subjectOf: (accessToken: string) => Promise<string | undefined>
  /** Revokes a grant; succeeds for a token that is already invalid. */
  revoke: (token: string) => Promise<void>
}

const SCOPE = 'openid email profile'

/** Creates the OpenID Connect client; without a client id, provider sign-in is off. */
export function createProvider(settings: ProviderSettings, now: () => Date): Provider {
  const configuration = cacheDiscovery(settings, now)
  return {
    async authorizationUrl({ state, nonce, verifier }) {
      const config = await configuration()
      return buildAuthorizationUrl(config, {
        redirect_uri: settings.redirectUri,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        prompt: 'select_account',
        // Google issues a refresh token, which can be revoked later, only with this parameter; other providers ignore
        // it.
        access_type: 'offline',
      }).href
    },
    async redeem(checks, returned) {
      const config = await configuration()
      return requestProvider('OAuth callback failed', () => redeem(config, settings, { checks, returned }))
    },
    async subjectOf(accessToken) {
      const config = await configuration()
      try {
        return (await fetchUserInfo(config, accessToken, skipSubjectCheck)).sub
      } catch (error) {
        if (isUserError(error)) return undefined
        throw providerUnavailable(error)
      }
    },
    async revoke(token) {
      const config = await configuration()
      if (config.serverMetadata().revocation_endpoint === undefined) return
      try {
        await tokenRevocation(config, token)
      } catch (error) {
        if (!isTokenInvalid(error)) throw providerUnavailable(error)
      }
    },
  }
}

type Redemption = { checks: Checks; returned: Returned }

async function redeem(config: Configuration, settings: ProviderSettings, { checks, returned }: Redemption) {
  const url = new URL(settings.redirectUri)
  url.searchParams.set('code', returned.code)
  url.searchParams.set('state', checks.state)
  // Without `iss` in the redirect the configured issuer is used; a given `iss` must match.
  const issuer = returned.iss ?? config.serverMetadata().issuer
  url.searchParams.set('iss', issuer)
  const tokens = await authorizationCodeGrant(config, url, {
    expectedState: checks.state,
    expectedNonce: checks.nonce,
    pkceCodeVerifier: checks.verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new Error('the provider sent no ID token')
  const profile = claims['email'] === undefined ? await fetchUserInfo(config, tokens.access_token, claims.sub) : claims
  return providerIdentityOf({ issuer: claims.iss, subject: claims.sub, profile, tokens })
}

/** A rejection by the provider is the caller's 401; a failed call is a 503. */
async function requestProvider<T>(refusal: string, request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof AppError) throw error
    if (isUserError(error)) throw new AppError('oauth.refused', refusal, { cause: error })
    throw providerUnavailable(error)
  }
}
