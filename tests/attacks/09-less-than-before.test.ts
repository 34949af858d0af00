import {
  createKeyFor,
  listKeysOf,
  listTrades,
  send,
  signIn,
  signUpUser,
  type TestAccount,
} from '@tapeline/testing/api-client'
import { callOperator } from '@tapeline/testing/operator'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const platform = runningPlatform()
const { gatewayUrl, gatewayUrls } = platform
const ADMIN_USERS = '/api/v1/admin/users'
const DETAILS = '/api/v1/internal/user/details'
const RECEIVED_WITHIN_MS = 60_000

const operator = callOperator(platform)
afterAll(() => operator.close())

/** The account that changes the others. */
let admin: TestAccount
beforeAll(async () => {
  admin = await signUpUser(gatewayUrl)
  await operator.ofUsers('set-role', admin.user.id, 'admin')
})

const changeUser = (userId: string, change: { role?: string; status?: string }) =>
  send(gatewayUrl + ADMIN_USERS, { method: 'PATCH', token: admin.jwtToken, body: { userId, ...change } })

/** The responses of all gateways in turn, starting with one that did not receive the change. */
async function statusesOf(path: string, token: string): Promise<number[]> {
  const statuses: number[] = []
  for (const url of gatewayUrls.toReversed()) statuses.push((await send(url + path, { token })).status)
  return statuses
}

test('the token of a demoted admin is rejected by admin routes at every gateway from the next request on', async () => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  expect(await statusesOf(ADMIN_USERS, jwtToken)).toEqual([403, 403, 403])
  expect((await changeUser(user.id, { role: 'admin' })).status).toBe(200)
  expect(await statusesOf(ADMIN_USERS, jwtToken)).toEqual([200, 200, 200])
  for (const role of ['tester', 'user']) {
    expect((await changeUser(user.id, { role })).status).toBe(200)
    expect(await statusesOf(ADMIN_USERS, jwtToken)).toEqual([403, 403, 403])
    expect(await statusesOf(DETAILS, jwtToken)).toEqual([200, 200, 200])
  }
})

test('the token, key and refresh token of a deactivated user are rejected until the account is reactivated', async () => {
  const { jwtToken, refreshToken, user, email, password } = await signUpUser(gatewayUrl)
  const { apiKey } = await createKeyFor(gatewayUrl, jwtToken)
  expect(await statusesOf(DETAILS, jwtToken)).toEqual([200, 200, 200])
  expect((await changeUser(user.id, { status: 'inactive' })).status).toBe(200)
  expect(await statusesOf(DETAILS, jwtToken)).toEqual([401, 401, 401])
  for (const url of gatewayUrls) expect((await listTrades(url, apiKey)).status).toBe(401)
  const post = (path: string, body: unknown) => send(`${gatewayUrl}/api/v1/internal/user/${path}`, { body })
  expect((await post('refresh', { refreshToken })).status).toBe(401)
  const refused = await post('login', { email, password })
  expect([refused.status, refused.body]).toMatchObject([401, { message: 'Incorrect username or password' }])
  expect((await changeUser(user.id, { status: 'active' })).status).toBe(200)
  expect(await statusesOf(DETAILS, jwtToken)).toEqual([200, 200, 200])
  expect((await post('refresh', { refreshToken })).status).toBe(200)
})

test('a deleted account is rejected from the next request on until its owner signs in again; its keys stay revoked', async () => {
  const account = await signUpUser(gatewayUrl)
  const { jwtToken, refreshToken, password } = account
  const { apiKey } = await createKeyFor(gatewayUrl, jwtToken)
  const remove = (currentPassword: string) => {
    const body = { currentPassword }
    return send(`${gatewayUrl}/api/v1/internal/user/account`, { method: 'DELETE', token: jwtToken, body })
  }
  expect((await remove('not the password')).status).toBe(403)
  expect(await statusesOf(DETAILS, jwtToken)).toEqual([200, 200, 200])
  expect(await remove(password)).toMatchObject({ status: 200, body: { data: { due_at: expect.any(String) } } })
  expect(await statusesOf(DETAILS, jwtToken)).toEqual([401, 401, 401])
  for (const url of gatewayUrls) expect((await listTrades(url, apiKey)).status).toBe(401)
  const refreshed = await send(`${gatewayUrl}/api/v1/internal/user/refresh`, { body: { refreshToken } })
  expect(refreshed.status).toBe(401)

  const { jwtToken: again } = await signIn(gatewayUrl, account)
  expect(await statusesOf(DETAILS, again)).toEqual([200, 200, 200])
  expect(await statusesOf(DETAILS, jwtToken)).toEqual([401, 401, 401])
  const areRevoked = async () =>
    (await listKeysOf(gatewayUrl, again)).apiKeys.every(({ status }) => status === 'revoked')
  await waitUntil('the keys are revoked', areRevoked, RECEIVED_WITHIN_MS)
  // api-key processes the deletion asynchronously: its relay publishes to the gateways shortly after its commit.
  const isRefused = async (url: string) => (await listTrades(url, apiKey)).status === 401
  for (const url of gatewayUrls) await waitUntil('its key is refused', () => isRefused(url), RECEIVED_WITHIN_MS)
})
