import { type Reply, send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { mailsTo, mailWith } from './mailed-token.ts'

const { gatewayUrl } = runningPlatform()
const NEW_EACH_TIME = new Set(['date', 'x-request-id', 'traceparent'])

/** The complete response, byte for byte, without its timestamp and request id. */
function wholeAnswer({ status, headers, body }: Reply): unknown {
  const text = JSON.stringify(body).replace(/"request_id":"[0-9a-f]{32}"/, '"request_id":""')
  return { status, text, headers: [...headers].filter(([name]) => !NEW_EACH_TIME.has(name)) }
}

const logIn = (email: string, password: string) =>
  send(`${gatewayUrl}/api/v1/internal/user/login`, { body: { email, password } })
const signUp = (email: string, password: string) =>
  send(`${gatewayUrl}/api/v1/internal/user/create`, {
    method: 'PUT',
    body: { first_name: 'Eve', last_name: 'Else', email, password, mobile: '+1' },
  })

test('sign-in gives the same response for registered and unregistered e-mail addresses', async () => {
  const { email, password } = await signUpUser(gatewayUrl)
  const registered = await logIn(email, `${password}x`)
  const unknown = await logIn(`${crypto.randomUUID()}@example.com`, `${password}x`)
  expect(registered.status).toBe(401)
  expect(wholeAnswer(registered)).toEqual(wholeAnswer(unknown))
})

test('sign-up with a registered e-mail in any spelling reveals nothing about its owner and changes nothing', async () => {
  const owner = await signUpUser(gatewayUrl)
  const { email, password } = owner
  const spellings = [email, email.toUpperCase(), `${email.slice(0, -3)}ＣＯＭ`]
  const [first, ...others] = await Promise.all(
    spellings.map((spelling) => signUp(spelling, `pw-${crypto.randomUUID()}`)),
  )
  expect(first?.body).toMatchObject({ status: 400, message: 'Signup failed' })
  expect(JSON.stringify(first?.body)).not.toMatch(/exist|taken|registered|already|e-?mail|Ada|Lovelace/i)
  for (const other of others) expect(other.status).toBe(400)
  expect((await logIn(email, password)).body).toMatchObject({ data: { user: { first_name: 'Ada' } } })
  const details = await send(`${gatewayUrl}/api/v1/internal/user/details`, { token: owner.jwtToken })
  expect(details.body).toMatchObject({ data: { user: { first_name: 'Ada', email } } })
})

test('a sign-up is validated before any account is looked up', async () => {
  const { email } = await signUpUser(gatewayUrl)
  for (const password of ['password123', 'short', '']) {
    const registered = await signUp(email, password)
    expect(registered.status).toBe(400)
    expect(wholeAnswer(registered)).toEqual(wholeAnswer(await signUp(`${crypto.randomUUID()}@example.com`, password)))
  }
})

test('a password reset request gets the same response for registered and unregistered e-mail addresses', async () => {
  const { email } = await signUpUser(gatewayUrl)
  const request = (address: string) =>
    send(`${gatewayUrl}/api/v1/internal/user/forgot-password`, { body: { email: address } })
  const registered = await request(email)
  expect(registered.status).toBe(200)
  for (const unknown of [`${crypto.randomUUID()}@example.com`, 'no address at all', 'a\u0000b']) {
    expect(wholeAnswer(await request(unknown))).toEqual(wholeAnswer(registered))
  }
})

test('requesting a new address reveals nothing about it, and the owner of a used address gets no link', async () => {
  const [owner, first, second] = await Promise.all([1, 2, 3].map(() => signUpUser(gatewayUrl)))
  const free = `${crypto.randomUUID()}@example.com`
  const request = ({ jwtToken: token, password }: TestAccount, newEmail: string) =>
    send(`${gatewayUrl}/api/v1/internal/user/change-email`, { token, body: { newEmail, currentPassword: password } })
  if (owner === undefined || first === undefined || second === undefined) throw new Error('sign-up failed')
  const taken = await request(first, owner.email)
  expect(taken.status).toBe(200)
  expect(wholeAnswer(taken)).toEqual(wholeAnswer(await request(second, free)))
  await mailWith(free, 'Confirm your new email address')
  const { text } = await mailWith(owner.email, 'This address already has an account')
  expect(text).not.toContain('token=')
  expect(JSON.stringify(await mailsTo(first.email))).not.toContain(owner.email)
  expect((await logIn(owner.email, owner.password)).status).toBe(200)
})
