import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { begin, finish, visitProvider, someEmail } from './sign-in-with-google.ts'

const { gatewayUrl, gatewayUrls } = runningPlatform()

test('sign-in fails without a state or without the binding stored in the browser', async () => {
  const { state, binding, code, iss } = await visitProvider(gatewayUrl, { email: someEmail() })
  for (const body of [{ code, binding, iss }, { code, state, iss }, { code }, { state, binding }]) {
    expect((await finish(gatewayUrl, body)).status).toBe(400)
  }
  expect((await finish(gatewayUrl, { state, binding, code })).status).toBe(200)
})

test('a forged state, or that of another browser, is rejected, and the latter still works in its own browser', async () => {
  const mine = await visitProvider(gatewayUrl, { email: someEmail() })
  const other = await begin(gatewayUrl)
  const attacks = [
    { ...mine, binding: other.binding },
    { ...mine, state: other.binding },
    { ...mine, state: mine.binding, binding: mine.state },
  ]
  for (const body of attacks) {
    expect(await finish(gatewayUrl, body)).toMatchObject({ status: 400, body: { code: 'oauth.state_invalid' } })
  }
  expect((await finish(gatewayUrl, mine)).status).toBe(200)
})

test('a state works once, also when it is sent to two gateways at the same time', async () => {
  const back = await visitProvider(gatewayUrl, { email: someEmail() })
  // The third gateway has production throttles for sign-ins, which other tests have used up.
  const replies = await Promise.all(gatewayUrls.slice(0, 2).map((url) => finish(url, back)))
  expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400])
  expect((await finish(gatewayUrl, back)).status).toBe(400)
})
