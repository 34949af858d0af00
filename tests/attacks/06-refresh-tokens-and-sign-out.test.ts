import { createHash } from 'node:crypto'
import type { RefreshedTokens } from '@tapeline/contracts/identity/http'
import { send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import pg from 'pg'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const { gatewayUrl, gatewayUrls, identityDatabaseUrl } = runningPlatform()
const user = (path: string, url = gatewayUrl) => `${url}/api/v1/internal/user/${path}`

const refresh = (refreshToken: string) => send<{ data: RefreshedTokens }>(user('refresh'), { body: { refreshToken } })
const statusOf = async (token: string, url = gatewayUrl) => (await send(user('details', url), { token })).status

async function logInAgain({ email, password }: TestAccount): Promise<RefreshedTokens> {
  return (await send<{ data: RefreshedTokens }>(user('login'), { body: { email, password } })).body.data
}

/** Waits out the 5 s in which a second tab receives the same successor. */
async function endGrace(refreshToken: string): Promise<void> {
  const client = new pg.Client({ connectionString: identityDatabaseUrl })
  await client.connect()
  try {
    const hash = createHash('sha256').update(refreshToken).digest()
    const { rowCount } = await client.query(
      `update refresh_token set used_at = used_at - interval '6 seconds' where hash = $1 and used_at is not null`,
      [hash],
    )
    if (rowCount !== 1) throw new Error('the refresh token was not used yet')
  } finally {
    await client.end()
  }
}

test('a spent refresh token ends its whole family, and no other session', async () => {
  const account = await signUpUser(gatewayUrl)
  const other = await logInAgain(account)
  const next = (await refresh(account.refreshToken)).body.data
  expect(await statusOf(next.jwtToken)).toBe(200)
  await endGrace(account.refreshToken)

  expect((await refresh(account.refreshToken)).status).toBe(401)
  expect((await refresh(next.refreshToken)).status).toBe(401)
  for (const url of gatewayUrls) {
    expect(await statusOf(next.jwtToken, url)).toBe(401)
    expect(await statusOf(account.jwtToken, url)).toBe(401)
  }
  expect(await statusOf(other.jwtToken)).toBe(200)
  expect((await refresh(other.refreshToken)).status).toBe(200)
})

test('two tabs that refresh at once stay in one token family', async () => {
  const { refreshToken } = await signUpUser(gatewayUrl)
  const answers = await Promise.all([refresh(refreshToken), refresh(refreshToken), refresh(refreshToken)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const successors = new Set(answers.map(({ body }) => body.data.refreshToken))
  expect(successors.size).toBe(1)
  expect(successors).not.toContain(refreshToken)
  for (const { body } of answers) expect(await statusOf(body.data.jwtToken)).toBe(200)
  const [successor = ''] = successors
  expect((await refresh(successor)).status).toBe(200)
})

test('after sign-out both tokens are rejected at every gateway', async () => {
  const account = await signUpUser(gatewayUrl)
  for (const url of gatewayUrls) expect(await statusOf(account.jwtToken, url)).toBe(200)
  expect((await send(user('logout'), { method: 'PATCH', token: account.jwtToken })).status).toBe(200)
  for (const url of gatewayUrls) expect(await statusOf(account.jwtToken, url)).toBe(401)
  expect((await refresh(account.refreshToken)).status).toBe(401)
})

test('an unknown or modified refresh token is rejected and ends no session', async () => {
  const { refreshToken } = await signUpUser(gatewayUrl)
  for (const guess of ['A'.repeat(43), `${refreshToken}A`, refreshToken.slice(0, -1), ` ${refreshToken}`]) {
    expect((await refresh(guess)).status).toBe(401)
  }
  expect((await refresh(refreshToken)).status).toBe(200)
})
