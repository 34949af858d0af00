import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { signInAtProvider } from '@tapeline/testing/pages/sign-in-at-provider'
import { runningPlatform } from '../platform/running-platform.ts'
import { begin, finish, visitProvider, someEmail } from './sign-in-with-google.ts'

const { gatewayUrl } = runningPlatform()
const refused = { status: 401, body: { code: 'oauth.refused' } }

test('a used code is rejected in another sign-in', async () => {
  const email = someEmail()
  const first = await visitProvider(gatewayUrl, { email })
  expect((await finish(gatewayUrl, first)).status).toBe(200)
  const next = await visitProvider(gatewayUrl, { email })
  expect(await finish(gatewayUrl, { ...next, code: first.code })).toMatchObject(refused)
})

test('an intercepted code is rejected in the attacker’s own sign-in', async () => {
  const victim = await visitProvider(gatewayUrl, { email: someEmail() })
  const attacker = await visitProvider(gatewayUrl, { email: someEmail() })
  expect(await finish(gatewayUrl, { ...attacker, code: victim.code })).toMatchObject(refused)
})

test.each([
  ['another nonce', (url: URL) => url.searchParams.set('nonce', 'x'.repeat(43))],
  ['another PKCE challenge', (url: URL) => url.searchParams.set('code_challenge', challengeOf('x'.repeat(43)))],
  ['another customer of the provider', (url: URL) => url.searchParams.set('client_id', 'another-client')],
])('a user sent to the provider with %s is rejected', async (_, change) => {
  const back = await visitProvider(gatewayUrl, { email: someEmail() }, { change })
  expect(back.code).not.toBe('')
  expect(await finish(gatewayUrl, back)).toMatchObject(refused)
})

test('an answer that names another provider is rejected', async () => {
  const back = await visitProvider(gatewayUrl, { email: someEmail() })
  expect(await finish(gatewayUrl, { ...back, iss: 'https://evil.example' })).toMatchObject(refused)
})

test('the provider redirects only to the pages', async () => {
  const { authUrl } = await begin(gatewayUrl)
  const url = new URL(authUrl)
  url.searchParams.set('redirect_uri', 'https://evil.example/dashboard')
  await expect(signInAtProvider(url.href, { email: someEmail() })).rejects.toThrow(/redirect_uri/)
})

function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url')
}
