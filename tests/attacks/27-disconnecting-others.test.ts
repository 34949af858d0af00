import { createHash, randomBytes } from 'node:crypto'
import { send, signUpUser } from '@tapeline/testing/api-client'
import { signInAtProvider } from '@tapeline/testing/pages/sign-in-at-provider'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { begin, confirm, finish, visitProvider, OAUTH, someEmail } from './sign-in-with-google.ts'

const { gatewayUrl } = runningPlatform()

const disconnect = (token: string | undefined, body: object) =>
  send(`${gatewayUrl}${OAUTH}/disconnect`, { body, ...(token === undefined ? {} : { token }) })

/** A genuine access token that the provider issued for another of its clients. */
async function accessTokenOf(email: string): Promise<string> {
  const verifier = randomBytes(32).toString('base64url')
  const url = new URL((await begin(gatewayUrl)).authUrl)
  url.searchParams.set('client_id', 'another-client')
  url.searchParams.set('code_challenge', createHash('sha256').update(verifier).digest('base64url'))
  const { searchParams } = await signInAtProvider(url.href, { email })
  const answer = await fetch(new URL('/token', url), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'another-client',
      redirect_uri: url.searchParams.get('redirect_uri') ?? '',
      code: searchParams.get('code') ?? '',
      code_verifier: verifier,
    }),
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  return access_token
}

test('another user’s access token cannot disconnect the provider, the account’s own token can', async () => {
  const person = await signUpUser(gatewayUrl)
  const email = someEmail()
  const back = await visitProvider(gatewayUrl, { email }, { token: person.jwtToken })
  // The provider's address differs from the account's: a session alone does not connect it.
  expect(await finish(gatewayUrl, back)).toMatchObject({ status: 409, body: { code: 'oauth.password_needed' } })
  const { jwtToken, user } = (await confirm(gatewayUrl, back, person.password)).body.data
  expect(user.id).toBe(person.user.id)
  expect((await disconnect(person.jwtToken, {})).status).toBe(401)

  for (const accessToken of [await accessTokenOf(someEmail()), 'made-up']) {
    const reply = await disconnect(jwtToken, { accessToken })
    expect(reply).toMatchObject({ status: 403, body: { code: 'oauth.foreign_token' } })
  }
  expect((await disconnect(undefined, {})).status).toBe(401)
  const again = await finish(gatewayUrl, await visitProvider(gatewayUrl, { email }))
  expect(again.body.data.user.id).toBe(person.user.id)

  expect((await disconnect(jwtToken, { accessToken: await accessTokenOf(email) })).status).toBe(200)
  const afterwards = await finish(gatewayUrl, await visitProvider(gatewayUrl, { email }))
  expect(afterwards.body.data.isNewUser).toBe(true)
})

test('an account without a password keeps its only sign-in method', async () => {
  const { data } = (await finish(gatewayUrl, await visitProvider(gatewayUrl, { email: someEmail() }))).body
  expect(await disconnect(data.jwtToken, {})).toMatchObject({ status: 409, body: { code: 'oauth.last_sign_in' } })
})
