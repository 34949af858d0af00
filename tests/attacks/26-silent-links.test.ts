import { send, signIn, signUpUser } from '@tapeline/testing/api-client'
import pg from 'pg'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { finish, visitProvider, OAUTH, someEmail } from './sign-in-with-google.ts'

const { gatewayUrl, identityDatabaseUrl } = runningPlatform()

async function markVerified(email: string): Promise<void> {
  const client = new pg.Client({ connectionString: identityDatabaseUrl })
  await client.connect()
  await client.query('update user_account set email_verified = true where email = $1', [email])
  await client.end()
}

test('an account with an unverified address is linked only with its password', async () => {
  const person = await signUpUser(gatewayUrl)
  const back = await visitProvider(gatewayUrl, { email: person.email })
  const { status, body } = await finish(gatewayUrl, back)
  expect({ status, body }).toMatchObject({ status: 409, body: { code: 'oauth.password_needed' } })
  expect(JSON.stringify(body)).not.toMatch(/jwtToken|refreshToken|Ada|Lovelace/)
  const { state, binding } = back
  const confirm = (password: string) => send(`${gatewayUrl}${OAUTH}/confirm`, { body: { state, binding, password } })
  expect((await confirm('not the password')).status).toBe(403)
  expect((await confirm(person.password)).body).toMatchObject({
    data: { user: { id: person.user.id }, isNewUser: false },
  })
})

test('an address that the provider has not verified signs in to no account', async () => {
  const person = await signUpUser(gatewayUrl)
  await markVerified(person.email)
  const answers = await Promise.all(
    [person.email, someEmail()].map(async (email) =>
      finish(gatewayUrl, await visitProvider(gatewayUrl, { email, verified: false })),
    ),
  )
  const [registered, unknown] = answers.map(({ status, body }) => ({ status, body: { ...body, request_id: '' } }))
  expect(registered).toMatchObject({ status: 409, body: { code: 'oauth.password_needed' } })
  expect(registered).toEqual(unknown)
  expect((await signIn(gatewayUrl, person)).user.id).toBe(person.user.id)
})

test('an address that both sides have verified signs in to the existing account', async () => {
  const person = await signUpUser(gatewayUrl)
  await markVerified(person.email)
  const { body } = await finish(gatewayUrl, await visitProvider(gatewayUrl, { email: person.email }))
  expect(body).toMatchObject({ data: { user: { id: person.user.id }, isNewUser: false } })
})
