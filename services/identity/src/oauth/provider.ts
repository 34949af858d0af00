import { AppError } from '@tapeline/service/app-error'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretPost,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  skipSubjectCheck,
  tokenRevocation,
} from 'openid-client'
import { type Claim, claimOf } from './claim.ts'
import { isPersonsFault, isTokenDead } from './provider-failure.ts'

export type ProviderSettings = {
  issuer: string
  clientId: string
  clientSecret: string
  redirectUri: string
  /** For each of the three calls that a sign-in makes. */
  timeoutSeconds: number
}
/** What only the browser that began and this server know of a sign-in. */
export type Checks = { state: string; nonce: string; verifier: string }
export type Returned = { code: string; iss: string | undefined }

export type Provider = {
  authorizationUrl: (checks: Checks) => Promise<string>
  /** Who came back: signature, issuer, audience, nonce and times of the ID token are checked. */
  redeem: (checks: Checks, returned: Returned) => Promise<Claim>
  /** Whose access token this is; undefined when the provider does not take it. */
  subjectOf: (accessToken: string) => Promise<string | undefined>
  /** Gives back what was granted; a token that is dead already is fine. */
  revoke: (token: string) => Promise<void>
}

const SCOPE = 'openid email profile'
/** Nothing else is asked meanwhile. */
const DISCOVERY_TIMEOUT_SECONDS = 10
const DISCOVERY_AGAIN_MS = 3_600_000
const RETRY_AFTER_SECONDS = 5

/** OpenID Connect by configuration; without a client id there is none. */
export function createProvider(settings: ProviderSettings, now: () => Date): Provider {
  const configuration = cachedDiscovery(settings, now)
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
        // Google gives a token that can be revoked later only to who asks so; others ignore it.
        access_type: 'offline',
      }).href
    },
    async redeem(checks, returned) {
      const config = await configuration()
      return asked('OAuth callback failed', () => redeem(config, settings, { checks, returned }))
    },
    async subjectOf(accessToken) {
      const config = await configuration()
      try {
        return (await fetchUserInfo(config, accessToken, skipSubjectCheck)).sub
      } catch (error) {
        if (isPersonsFault(error)) return undefined
        throw away(error)
      }
    },
    async revoke(token) {
      const config = await configuration()
      if (config.serverMetadata().revocation_endpoint === undefined) return
      try {
        await tokenRevocation(config, token)
      } catch (error) {
        if (!isTokenDead(error)) throw away(error)
      }
    },
  }
}

type Redemption = { checks: Checks; returned: Returned }

async function redeem(config: Configuration, settings: ProviderSettings, { checks, returned }: Redemption) {
  const url = new URL(settings.redirectUri)
  url.searchParams.set('code', returned.code)
  url.searchParams.set('state', checks.state)
  // A page that sends no `iss` has no say in whose answer this is; one that is sent must be right.
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
  return claimOf({ issuer: claims.iss, subject: claims.sub, profile, tokens })
}

/** Its metadata, asked for once an hour; while it is away the last answer goes on. */
function cachedDiscovery(settings: ProviderSettings, now: () => Date): () => Promise<Configuration> {
  let known: { configuration: Configuration; atMs: number } | undefined
  let asking: Promise<Configuration> | undefined
  return async () => {
    if (settings.clientId === '') {
      throw new AppError('oauth.not_configured', 'Sign-in with Google is not set up here.')
    }
    if (known !== undefined && now().getTime() - known.atMs < DISCOVERY_AGAIN_MS) return known.configuration
    asking ??= discover(settings).finally(() => {
      asking = undefined
    })
    try {
      known = { configuration: await asking, atMs: now().getTime() }
    } catch (error) {
      if (known === undefined) throw away(error)
    }
    if (known === undefined) throw away(undefined)
    return known.configuration
  }
}

async function discover({ issuer, clientId, clientSecret, timeoutSeconds }: ProviderSettings): Promise<Configuration> {
  const server = new URL(issuer)
  const insecure = server.protocol === 'http:' ? [allowInsecureRequests] : []
  const found = await discovery(server, clientId, { client_secret: clientSecret }, ClientSecretPost(clientSecret), {
    timeout: DISCOVERY_TIMEOUT_SECONDS,
    // Without it a signature is taken for granted, because the token came over TLS.
    execute: [enableNonRepudiationChecks, ...insecure],
  })
  found.timeout = timeoutSeconds
  return found
}

/** What the provider refuses is the caller's 401; that it cannot be asked is nobody's fault. */
async function asked<T>(refusal: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof AppError) throw error
    if (isPersonsFault(error)) throw new AppError('oauth.refused', refusal, { cause: error })
    throw away(error)
  }
}

function away(cause: unknown): AppError {
  return new AppError('oauth.provider_away', 'Google cannot be reached. Sign in with your password, or try again.', {
    cause,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
