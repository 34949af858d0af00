import { createKeyFor, signUpUser } from '@tapeline/testing/api-client'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { ownAddress, rawRequest, sendRaw } from './raw-request.ts'

const { gatewayUrl, throttledGatewayUrl } = runningPlatform()
/** Requests per minute and address allowed by this gateway. */
const PER_MINUTE = 8
const TRIES = PER_MINUTE + 4
const LOGIN = '/api/v1/internal/user/login'

type Attack = { method?: string; target: string; headers?: string[]; body?: string; from: string }

async function attack({ method = 'GET', target, from, ...rest }: Attack): Promise<number> {
  const bytes = rawRequest({ method, target, ...rest })
  const { statuses } = await sendRaw(throttledGatewayUrl, bytes, { localAddress: from })
  return statuses[0] ?? 0
}

async function inTurn(one: (n: number) => Promise<number>): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < TRIES; n += 1) statuses.push(await one(n))
  return statuses
}

const expected = (status: number): number[] => Array.from({ length: TRIES }, (_, n) => (n < PER_MINUTE ? status : 429))
const elsewhere = (n: number): string[] =>
  ['x-forwarded-for', 'x-real-ip', 'x-client-address', 'x_forwarded_for', 'true-client-ip', 'cf-connecting-ip']
    .map((name) => `${name}: 10.0.${n}.1`)
    .concat(`forwarded: for=10.0.${n}.1`)
const guess = (email: string) => JSON.stringify({ email, password: 'not the password' })
const json = 'content-type: application/json'

test('a client that sends a different X-Forwarded-For with each request is still one caller', async () => {
  const from = ownAddress()
  const statuses = await inTurn((n) => attack({ target: '/api/v1/sample', headers: elsewhere(n), from }))
  expect(statuses).toEqual(expected(200))
  expect(await attack({ target: '/api/v1/sample', from: ownAddress() })).toBe(200)
})

test('guessing keys is stopped although each request claims a new address', async () => {
  const from = ownAddress()
  const headers = (n: number) => [...elsewhere(n), `authorization: Bearer tl_live_guess${n}`]
  const statuses = await inTurn((n) => attack({ target: '/api/v1/instruments', headers: headers(n), from }))
  expect(statuses).toEqual(expected(401))
})

test('a key of a free account does not bypass the throttle of sign-in by address', async () => {
  const { email } = await signUpUser(gatewayUrl)
  const { jwtToken } = await signUpUser(gatewayUrl)
  const { apiKey } = await createKeyFor(gatewayUrl, jwtToken)
  const from = ownAddress()
  const headers = [json, `x-api-key: ${apiKey}`]
  const statuses = await inTurn(() => attack({ method: 'POST', target: LOGIN, headers, body: guess(email), from }))
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(PER_MINUTE)
  expect(statuses.slice(PER_MINUTE)).toEqual(Array(TRIES - PER_MINUTE).fill(429))
})

test.each([
  ['with a letter encoded', '/api/v1/internal/user/%6cogin'],
  ['with a fragment', `${LOGIN}#x`],
  ['with a query', `${LOGIN}?x=1`],
  ['with a parameter', `${LOGIN};x`],
  ['with a slash behind', `${LOGIN}/`],
])('a sign-in is throttled however its address is written, also for a signed-in guesser: %s', async (_how, target) => {
  const { email } = await signUpUser(gatewayUrl)
  const { jwtToken } = await signUpUser(gatewayUrl)
  const from = ownAddress()
  const headers = [json, `authorization: Bearer ${jwtToken}`]
  const statuses = await inTurn(() => attack({ method: 'POST', target, headers, body: guess(email), from }))
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(PER_MINUTE)
  expect(statuses.slice(PER_MINUTE).every((status) => status === 429 || status === 404)).toBe(true)
})
