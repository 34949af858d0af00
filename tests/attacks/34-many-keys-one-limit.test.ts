import { createKeyFor, listTrades, type Reply, signUpUser } from '@tapeline/testing/api-client'
import { setLimits } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { untilSeeded } from '../platform/until-seeded.ts'

const platform = runningPlatform()
const { gatewayUrl, gatewayUrls } = platform
const PER_MINUTE = 7
const KEYS = 3
const DECIDED_WITHIN_MS = 60_000
const REQUESTS = 24

const isByShare = ({ headers }: Reply) => headers.has('x-ratelimit-policy')

/** The first answer that Redis decided. */
function decided(key: string): Promise<Reply> {
  const byRedis = async () => {
    const reply = await listTrades(gatewayUrl, key)
    return isByShare(reply) ? undefined : reply
  }
  return waitUntil('Redis decides', byRedis, DECIDED_WITHIN_MS)
}

test('many keys and a signed-in session at every gateway have the account’s one limit', async () => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  await setLimits(platform, user.id, { requestsPerMinute: PER_MINUTE })
  const credentials = [jwtToken]
  for (let n = 0; n < KEYS; n += 1) credentials.push((await createKeyFor(gatewayUrl, jwtToken, `key ${n}`)).apiKey)
  const sendWith = (n: number) =>
    listTrades(gatewayUrls[n % gatewayUrls.length] ?? '', credentials[n % credentials.length] ?? '')
  for (const credential of credentials) await untilSeeded(gatewayUrls, credential)
  const answers = await Promise.all(Array.from({ length: REQUESTS }, (_, n) => sendWith(n)))
  // If Redis is slow on a busy machine, a gateway decides some by its share.
  const byShare = answers.filter(isByShare).length
  const countOf = (wanted: number) => answers.filter(({ status }) => status === wanted).length
  expect(Math.abs(countOf(200) - PER_MINUTE), `${byShare} by a share`).toBeLessThanOrEqual(byShare)
  expect(countOf(429)).toBe(REQUESTS - countOf(200))
  const { apiKey } = await createKeyFor(gatewayUrl, (await signUpUser(gatewayUrl)).jwtToken)
  expect((await listTrades(gatewayUrl, apiKey)).status).toBe(200)
})

test('a regenerated key does not reset its limits', async () => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  await setLimits(platform, user.id, { requestsPerDay: 1 })
  const { apiKey, key } = await createKeyFor(gatewayUrl, jwtToken)
  await untilSeeded([gatewayUrl], apiKey)
  expect((await listTrades(gatewayUrl, apiKey)).status).toBe(200)
  const keyUrl = `${gatewayUrl}/api/v1/internal/api-keys/${key.id}`
  const headers = { authorization: `Bearer ${jwtToken}` }
  const regenerated = await fetch(`${keyUrl}/regenerate`, { method: 'POST', headers })
  const { data } = (await regenerated.json()) as { data: { apiKey: string } }
  expect((await decided(data.apiKey)).status).toBe(429)
  expect((await fetch(`${keyUrl}/delete`, { method: 'DELETE', headers })).status).toBe(200)
  const { apiKey: next } = await createKeyFor(gatewayUrl, jwtToken)
  expect((await decided(next)).status).toBe(429)
})
