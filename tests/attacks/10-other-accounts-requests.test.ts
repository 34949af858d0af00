import type { NotificationPage } from '@tapeline/contracts/audit/notifications'
import type { RequestPage } from '@tapeline/contracts/audit/requests'
import { createKeyFor, listTrades, send, signUpUser, type TestAccount } from '@tapeline/testing/api-client'
import { setTier } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { beforeAll, expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { comparableResponse } from './comparable-response.ts'

const platform = runningPlatform()
const INTERNAL = `${platform.gatewayUrl}/api/v1/internal`
const COUNTED_WITHIN_MS = 60_000

let owner: TestAccount
let attacker: TestAccount
let keyId = ''
let requestIds: string[] = []
let cursor = ''

beforeAll(async () => {
  owner = await signUpUser(platform.gatewayUrl)
  attacker = await signUpUser(platform.gatewayUrl)
  for (const { user } of [owner, attacker]) await setTier(platform, user.id, 'pro')
  const { apiKey, key } = await createKeyFor(platform.gatewayUrl, owner.jwtToken, 'mine alone')
  keyId = key.id
  for (let n = 0; n < 3; n += 1) expect((await listTrades(platform.gatewayUrl, apiKey)).status).toBe(200)
  const page = await waitUntil(
    'three requests are counted',
    async () => {
      const { body } = await send<{ data: RequestPage }>(`${INTERNAL}/requests`, { token: owner.jwtToken })
      return body.data.requests.length === 3 ? body.data : undefined
    },
    COUNTED_WITHIN_MS,
  )
  requestIds = page.requests.flatMap((one) => [one.id, one.request_id])
  const first = await send<{ data: RequestPage }>(`${INTERNAL}/requests?limit=1`, { token: owner.jwtToken })
  cursor = first.body.data.next_cursor ?? ''
  expect(cursor).not.toBe('')
})

const as = (account: TestAccount, path: string) => send(`${INTERNAL}/${path}`, { token: account.jwtToken })

test('a request of another account is answered like one that does not exist', async () => {
  for (const id of requestIds) {
    expect((await as(owner, `requests/${id}`)).status).toBe(200)
    const foreign = await as(attacker, `requests/${id}`)
    expect(foreign.status).toBe(404)
    const unknown = id.includes('-') ? crypto.randomUUID() : crypto.randomUUID().replaceAll('-', '')
    expect(comparableResponse(foreign)).toEqual(comparableResponse(await as(attacker, `requests/${unknown}`)))
  }
})

test('neither filters nor cursors return requests of another account', async () => {
  const filters = [
    '',
    `apiKeyId=${keyId}`,
    `requestId=${requestIds[1]}`,
    `cursor=${encodeURIComponent(cursor)}`,
    'limit=100&status=2xx',
  ]
  for (const filter of filters) {
    const { status, body } = await as(attacker, `requests?${filter}`)
    expect([200, 400], filter).toContain(status)
    if (status === 200) expect(body, filter).toMatchObject({ data: { requests: [] } })
    for (const secret of [...requestIds, 'mine alone']) expect(JSON.stringify(body), filter).not.toContain(secret)
  }
})

test.each(['csv', 'jsonl'])('an export contains no data of another account: %s', async (format) => {
  const exported = async (account: TestAccount, path: string) => {
    const response = await fetch(`${INTERNAL}/${path}`, { headers: { authorization: `Bearer ${account.jwtToken}` } })
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
  }
  const own = await exported(owner, `requests/export?format=${format}`)
  expect(own.status).toBe(200)
  expect(own.text).toContain(requestIds[1])
  for (const call of ['requests/export', 'apikeyaudit/export']) {
    const exportOf = (id: string) => exported(attacker, `${call}?format=${format}&apiKeyId=${id}`)
    const foreign = await exportOf(keyId)
    const unknown = await exportOf(crypto.randomUUID())
    // A filter without matches gives an empty file; figures of another account's key do not exist.
    expect(foreign.status, call).toBe(call === 'requests/export' ? 200 : 404)
    expect({ status: foreign.status, type: foreign.type }, call).toEqual({ status: unknown.status, type: unknown.type })
    const all = await exported(attacker, `${call}?format=${format}`)
    for (const { text } of [foreign, all]) {
      for (const secret of [...requestIds, 'mine alone', owner.user.id]) expect(text, call).not.toContain(secret)
    }
  }
})

test('a notification of another account cannot be read, nor marked as read', async () => {
  const page = async (account: TestAccount) =>
    (await send<{ data: NotificationPage }>(`${INTERNAL}/notifications`, { token: account.jwtToken })).body.data
  const { notifications, unread } = await waitUntil(
    'the owner is notified of the new key',
    async () => {
      const found = await page(owner)
      return found.unread > 0 ? found : undefined
    },
    COUNTED_WITHIN_MS,
  )
  const [notification] = notifications
  expect((await page(attacker)).notifications).toEqual([])
  const mark = (id: string) =>
    send(`${INTERNAL}/notifications/${id}/read`, { method: 'PATCH', token: attacker.jwtToken })
  expect(comparableResponse(await mark(notification?.id ?? ''))).toEqual(
    comparableResponse(await mark(crypto.randomUUID())),
  )
  expect((await page(owner)).unread).toBeGreaterThanOrEqual(unread)
})
