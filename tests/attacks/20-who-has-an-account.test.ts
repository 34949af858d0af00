import { type Reply, send, signUpSomebody } from '@tapeline/testing/api-client'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const { gatewayUrl } = runningPlatform()
const NEW_EACH_TIME = new Set(['date', 'x-request-id'])

/** The whole answer, byte for byte, without its moment and its id. */
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

test('sign-in answers the same whether the e-mail is known or not', async () => {
  const { email, password } = await signUpSomebody(gatewayUrl)
  const known = await logIn(email, `${password}x`)
  const unknown = await logIn(`${crypto.randomUUID()}@example.com`, `${password}x`)
  expect(known.status).toBe(401)
  expect(wholeAnswer(known)).toEqual(wholeAnswer(unknown))
})

test('sign-up with a known e-mail says nothing of its owner and changes nothing, however it is spelt', async () => {
  const owner = await signUpSomebody(gatewayUrl)
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

test('what is wrong with a sign-up is said before anybody is looked up', async () => {
  const { email } = await signUpSomebody(gatewayUrl)
  for (const password of ['password123', 'short', '']) {
    const known = await signUp(email, password)
    expect(known.status).toBe(400)
    expect(wholeAnswer(known)).toEqual(wholeAnswer(await signUp(`${crypto.randomUUID()}@example.com`, password)))
  }
})
