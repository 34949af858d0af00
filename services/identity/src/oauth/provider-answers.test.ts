import { afterAll, afterEach, expect, test } from 'vitest'
import { type Checks, createProvider } from './provider.ts'
import { signInAtProvider } from '@tapeline/testing/pages/sign-in-at-provider'
import { startTestProvider, type TokenAnswer } from '@tapeline/testing/pages/identity-provider'
import { newSecret } from './binding.ts'
import { returned, someEmail } from '../../test/oauth.fixture.ts'

const redirectUri = 'https://tapeline.test/dashboard'
const server = await startTestProvider(redirectUri)
const settings = { ...server, redirectUri, timeoutSeconds: 30 }
const provider = createProvider(settings, () => new Date())
afterEach(() => server.tamper(undefined))
afterAll(() => server.stop())

const refused = { code: 'oauth.refused', status: 401 }

/** Signs in at the provider; returns the redirect's parameters and the server's checks. */
async function signIn(change: (authUrl: URL) => void = () => undefined) {
  const checks: Checks = { state: newSecret(), nonce: newSecret(), verifier: newSecret() }
  const authUrl = new URL(await provider.authorizationUrl(checks))
  change(authUrl)
  const { code, iss } = returned(await signInAtProvider(authUrl.href, { email: someEmail() }))
  return { checks, code, iss }
}

/** The provider's response to a sign-in, unchanged. */
async function answerTo(change?: (authUrl: URL) => void): Promise<TokenAnswer> {
  let genuine: TokenAnswer | undefined
  server.tamper((answer) => {
    genuine = answer
    return answer
  })
  const { checks, code, iss } = await signIn(change)
  await provider.redeem(checks, { code, iss }).catch(() => undefined)
  server.tamper(undefined)
  if (genuine === undefined) throw new Error('the provider gave no token')
  return genuine
}

test('the request uses PKCE, state and nonce, and the redirect is accepted with and without an issuer', async () => {
  const url = new URL(await provider.authorizationUrl({ state: 's', nonce: 'n', verifier: newSecret() }))
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: redirectUri,
    state: 's',
    nonce: 'n',
    scope: 'openid email profile',
  })
  for (const iss of [server.issuer, undefined]) {
    const { checks, code } = await signIn()
    expect(await provider.redeem(checks, { code, iss })).toMatchObject({ issuer: server.issuer, isEmailVerified: true })
  }
})

test('another issuer in the redirect is rejected', async () => {
  const { checks, code } = await signIn()
  await expect(provider.redeem(checks, { code, iss: 'https://accounts.google.com' })).rejects.toMatchObject(refused)
})

test('a code works once, and only with its verifier', async () => {
  const { checks, code, iss } = await signIn()
  await expect(provider.redeem({ ...checks, verifier: newSecret() }, { code, iss })).rejects.toMatchObject(refused)
  const again = await signIn()
  await provider.redeem(again.checks, again)
  await expect(provider.redeem(again.checks, again)).rejects.toMatchObject(refused)
})

test.each([
  ['whose signature is another', ({ id_token }: TokenAnswer) => id_token.replace(/\.[^.]+$/, '.c2lnbmVk')],
  ['without a signature', ({ id_token }: TokenAnswer) => unsigned(id_token)],
  ['that says something else under the same signature', ({ id_token }: TokenAnswer) => withAnotherSubject(id_token)],
])('an ID token %s is rejected', async (_, forge) => {
  const { checks, code, iss } = await signIn()
  server.tamper((answer) => ({ ...answer, id_token: forge(answer) }))
  await expect(provider.redeem(checks, { code, iss })).rejects.toMatchObject(refused)
})

test('a valid ID token of another sign-in is rejected for its nonce', async () => {
  const other = await answerTo()
  const { checks, code, iss } = await signIn()
  server.tamper((answer) => ({ ...answer, id_token: other.id_token }))
  await expect(provider.redeem(checks, { code, iss })).rejects.toMatchObject(refused)
})

test('a token with another nonce than requested is rejected', async () => {
  const { checks, code, iss } = await signIn((authUrl) => authUrl.searchParams.set('nonce', 'another'))
  await expect(provider.redeem(checks, { code, iss })).rejects.toMatchObject(refused)
})

test('a valid token for another client of the provider is rejected for its audience', async () => {
  const checks: Checks = { state: newSecret(), nonce: newSecret(), verifier: newSecret() }
  const theirs = createProvider({ ...settings, clientId: 'another-client', clientSecret: 'none' }, () => new Date())
  const { code } = returned(await signInAtProvider(await theirs.authorizationUrl(checks), { email: someEmail() }))
  const answer = await fetch(`${server.issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'another-client',
      redirect_uri: redirectUri,
      code_verifier: checks.verifier,
      code,
    }),
  })
  const their = (await answer.json()) as TokenAnswer
  const mine = new URL(await provider.authorizationUrl(checks))
  const back = returned(await signInAtProvider(mine.href, { email: someEmail() }))
  server.tamper((tokens) => ({ ...tokens, id_token: their.id_token }))
  await expect(provider.redeem(checks, back)).rejects.toMatchObject(refused)
})

test('the owner of an access token is looked up at the provider, and a revoked token has none', async () => {
  const { checks, code, iss } = await signIn()
  let accessToken = ''
  server.tamper((answer) => {
    accessToken = answer.access_token
    return answer
  })
  const { subject, token } = await provider.redeem(checks, { code, iss })
  expect(await provider.subjectOf(accessToken)).toBe(subject)
  await provider.revoke(token)
  expect(await provider.subjectOf(accessToken)).toBeUndefined()
  await provider.revoke(token)
})

test('an unreachable provider is reported as unavailable, and an unconfigured one as missing', async () => {
  const nowhere = createProvider({ ...settings, issuer: 'http://localhost:9' }, () => new Date())
  const checks = { state: 's', nonce: 'n', verifier: newSecret() }
  await expect(nowhere.authorizationUrl(checks)).rejects.toMatchObject({
    code: 'oauth.provider_away',
    status: 503,
    headers: { 'retry-after': '5' },
  })
  const none = createProvider({ ...settings, clientId: '' }, () => new Date())
  await expect(none.authorizationUrl(checks)).rejects.toMatchObject({ code: 'oauth.not_configured' })
})

function unsigned(token: string): string {
  const header = Buffer.from('{"alg":"none"}').toString('base64url')
  return `${header}.${token.split('.')[1] ?? ''}.`
}

function withAnotherSubject(token: string): string {
  const [header = '', claims = '', signature = ''] = token.split('.')
  const changed = { ...JSON.parse(Buffer.from(claims, 'base64url').toString()), sub: 'another-client' }
  return `${header}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}.${signature}`
}
