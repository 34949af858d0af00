import type { CreatedKey, KeyAnswer } from '@tapeline/contracts/api-key/http'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import { createKeyFor, listTrades, send, signUpUser } from '@tapeline/testing/api-client'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'

const COUNTED_WITHIN_MS = 60_000
const { gatewayUrl } = runningPlatform()
const KEYS = `${gatewayUrl}/api/v1/internal/api-keys`
type Data<T> = { data: T }

test('a secret is replaced while programs still use the old one, and its owner sees when they stop', async () => {
  const { jwtToken: token } = await signUpUser(gatewayUrl)
  const { apiKey: old, key } = await createKeyFor(gatewayUrl, token)
  const own = `${KEYS}/${key.id}`
  const replaced = await send<Data<CreatedKey>>(`${own}/regenerate`, { token, body: { grace_seconds: 3_600 } })
  const { apiKey: successor } = replaced.body.data
  for (const each of [old, successor]) expect((await listTrades(gatewayUrl, each)).status).toBe(200)

  const read = async () => (await send<Data<KeyAnswer>>(own, { token })).body.data.key
  await waitUntil('the old secret was seen in use', async () => (await read()).grace?.last_used_at, COUNTED_WITHIN_MS)
  await waitUntil('the new secret was seen in use', async () => (await read()).secret_last_used_at, COUNTED_WITHIN_MS)

  const analytics = async () => (await send<Data<UsageReport>>(`${own}/analytics?days=1`, { token })).body.data
  await waitUntil('both are counted', async () => (await analytics()).total === 2, COUNTED_WITHIN_MS)
  const usage = await send<Data<UsageReport>>(`${KEYS}/usage?api_key_id=${key.id}`, { token })
  expect(usage.body.data.rows).toMatchObject([{ key: key.id, total: 2 }])

  const ended = await send<Data<KeyAnswer>>(`${own}/end-grace`, { method: 'PATCH', token })
  expect(ended.body.data.key.grace).toBeNull()
  expect((await listTrades(gatewayUrl, old)).status).toBe(401)
  expect((await listTrades(gatewayUrl, successor)).status).toBe(200)

  await send(`${own}/regenerate`, { token, body: {} })
  for (const each of [old, successor]) expect((await listTrades(gatewayUrl, each)).status).toBe(401)
})

test('a creation request that is sent twice creates one key', async () => {
  const { jwtToken: token } = await signUpUser(gatewayUrl)
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const create = () => send<Data<Partial<CreatedKey>>>(KEYS, { token, headers, body: { name: 'once' } })
  const [first, again] = [await create(), await create()]
  expect([first.status, again.status]).toEqual([201, 201])
  expect(first.body.data.apiKey).toMatch(/^tl_live_/)
  expect(again.body.data).not.toHaveProperty('apiKey')
  expect(again.body.data.key).toEqual(first.body.data.key)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
})
