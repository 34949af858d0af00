import { send } from '@tapeline/testing/api-client'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const { gatewayUrl } = runningPlatform()
/** A sign-in takes about 0.1 s, and several times as long under load. */
const BOUND_MS = 40_000

const logIn = async (email: string, password: string) =>
  (await send(`${gatewayUrl}/api/v1/internal/user/login`, { body: { email, password } })).status
const signUp = async (email: string, password: string) =>
  (
    await send(`${gatewayUrl}/api/v1/internal/user/create`, {
      method: 'PUT',
      body: { first_name: 'Ada', last_name: 'Long', email, password, mobile: '+1' },
    })
  ).status

test.each(['x', 'é', '𝄞'])('every character of a password of 1,000 times %s is compared', async (letter) => {
  const email = `${crypto.randomUUID()}@example.com`
  const password = letter.repeat(1_000)
  const startMs = performance.now()
  expect(await signUp(email, password)).toBe(201)
  expect(await logIn(email, password)).toBe(200)
  expect(await logIn(email, letter.repeat(999))).toBe(401)
  expect(await logIn(email, `${letter.repeat(999)}y`)).toBe(401)
  expect(await logIn(email, letter.repeat(72))).toBe(401)
  expect(await logIn(email, `${password}y`)).toBe(401)
  expect(performance.now() - startMs).toBeLessThan(BOUND_MS)
})

test('a password above the maximum length is rejected before it is hashed, for every account', async () => {
  const startMs = performance.now()
  const email = `${crypto.randomUUID()}@example.com`
  expect(await signUp(email, 'x'.repeat(1_025))).toBe(400)
  expect(await logIn(email, 'x'.repeat(200_000))).toBe(400)
  expect(performance.now() - startMs).toBeLessThan(BOUND_MS)
})
