import { createHash, generateKeyPair, randomBytes } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { promisify } from 'node:util'
import type { Configuration, Provider } from 'oidc-provider'
import { accountsPage, type ProviderAccount } from './identity-provider-accounts.ts'

export type ProviderOptions = { issuer: string; clientId: string; clientSecret: string; redirectUris: string[] }

const BODY_BYTES_MAX = 10_000
const MODULUS_BITS = 2_048
const DAY_SECONDS = 86_400
const LONG_TTL = { Grant: DAY_SECONDS, RefreshToken: DAY_SECONDS, Session: DAY_SECONDS }
const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}

/**
 * OpenID Connect provider for one machine: every account chosen on its page is signed in. It is loaded with its
 * first request and keeps no accounts after it stops.
 */
export function identityProvider(options: ProviderOptions): RequestListener {
  let provider: Promise<RequestListener> | undefined
  return (request, response) => {
    provider ??= makeProvider(options)
    provider
      .then((handle) => handle(request, response))
      .catch((error: unknown) => {
        process.stderr.write(`identity provider: ${String(error)}\n`)
        response.writeHead(500, { 'content-type': 'text/plain' }).end('The provider failed.\n')
      })
  }
}

async function makeProvider(options: ProviderOptions): Promise<RequestListener> {
  const { default: OidcProvider, interactionPolicy } = await import('oidc-provider')
  const accounts = new Map<string, ProviderAccount>()
  const policy = interactionPolicy.base()
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0)
  const provider = new OidcProvider(options.issuer, {
    ...(await settings(options, accounts)),
    interactions: { policy, url: (_ctx, { uid }) => `/interaction/${uid}` },
  })
  const handle = provider.callback()
  return (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return void handle(request, response)
    interact(provider, accounts, { request, response }).catch(() => {
      response.writeHead(400, HEADERS).end('<p>This sign-in has expired. Start again on the page you came from.</p>')
    })
  }
}

async function settings(
  { clientId, clientSecret, redirectUris }: ProviderOptions,
  accounts: Map<string, ProviderAccount>,
): Promise<Configuration> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: MODULUS_BITS })
  const key = { ...privateKey.export({ format: 'jwk' }), kty: 'RSA', use: 'sig', alg: 'RS256', kid: secret() }
  const client = { redirect_uris: redirectUris, grant_types: ['authorization_code', 'refresh_token'] }
  return {
    clients: [
      {
        ...client,
        client_id: clientId,
        client_secret: clientSecret,
        token_endpoint_auth_method: 'client_secret_post',
      },
      // A real provider has other clients too: tokens for them must be rejected.
      { ...client, client_id: 'another-client', token_endpoint_auth_method: 'none' },
    ],
    jwks: { keys: [key] },
    cookies: { keys: [secret()] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name'] },
    // Like Google, it puts all claims into the ID token.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    pkce: { required: () => true },
    issueRefreshToken: async () => true,
    ttl: { AccessToken: 3_600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, ...LONG_TTL },
    findAccount: (_ctx, sub) => {
      const account = accounts.get(sub)
      return account && { accountId: sub, claims: () => claimsOf(sub, account) }
    },
    // Choosing an account counts as consent.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
}

type Exchange = { request: IncomingMessage; response: ServerResponse }

async function interact(
  provider: Provider,
  accounts: Map<string, ProviderAccount>,
  { request, response }: Exchange,
): Promise<void> {
  const { uid } = await provider.interactionDetails(request, response)
  if (request.method !== 'POST') {
    response.writeHead(200, HEADERS).end(accountsPage(`/interaction/${uid}`))
    return
  }
  const result = request.url?.endsWith('/cancel')
    ? { error: 'access_denied', error_description: 'The user cancelled.' }
    : { login: { accountId: choose(accounts, await readForm(request)), remember: false }, select_account: {} }
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false })
}

/** The account of this address: the same one each time. */
function choose(accounts: Map<string, ProviderAccount>, form: URLSearchParams): string {
  const email = form.get('email') ?? ''
  const sub = createHash('sha256').update(email).digest('hex').slice(0, 32)
  accounts.set(sub, {
    email,
    givenName: form.get('given_name') ?? '',
    familyName: form.get('family_name') ?? '',
    isVerified: form.get('verified') === 'yes',
  })
  return sub
}

function claimsOf(sub: string, { email, givenName, familyName, isVerified }: ProviderAccount) {
  const name = `${givenName} ${familyName}`.trim()
  return { sub, email, email_verified: isVerified, name, given_name: givenName, family_name: familyName }
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > BODY_BYTES_MAX) throw new Error('the form is too long')
  }
  return new URLSearchParams(text)
}

function secret(): string {
  return randomBytes(32).toString('base64url')
}
