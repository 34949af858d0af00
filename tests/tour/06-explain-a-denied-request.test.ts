import type { NotificationPage } from '@tapeline/contracts/audit/notifications'
import type { RequestDetail, RequestPage } from '@tapeline/contracts/audit/requests'
import type { PlatformStatus } from '@tapeline/contracts/audit/status'
import type { TrailPage } from '@tapeline/contracts/audit/trail'
import { createKeyFor, listTrades, send, signUpUser } from '@tapeline/testing/api-client'
import { NO_LIMIT, setLimits, setTier } from '@tapeline/testing/set-subscription'
import { waitUntil } from '@tapeline/testing/wait-until'
import { expect, test } from 'vitest'
import { runningPlatform } from '../platform/running-platform.ts'
import { untilSeeded } from '../platform/until-seeded.ts'

const { gatewayUrl, gatewayUrls, configDatabaseUrl, redisUrl } = runningPlatform()
const config = { configDatabaseUrl, redisUrl }
const internal = (path: string) => `${gatewayUrl}/api/v1/internal/${path}`
const COUNTED_WITHIN_MS = 60_000

type Data<T> = { data: T }
const read = async <T>(token: string, path: string): Promise<T> =>
  (await send<Data<T>>(internal(path), { token })).body.data
/** The body as text, because a file is not JSON. */
const download = async (token: string, path: string) => {
  const response = await fetch(internal(path), { headers: { authorization: `Bearer ${token}` } })
  return { status: response.status, text: await response.text() }
}

test('a 429 is explained by its request id, and is in the log and export of its account only', async () => {
  const { jwtToken, user } = await signUpUser(gatewayUrl)
  const { apiKey } = await createKeyFor(gatewayUrl, jwtToken, 'notebook')
  await setTier(config, user.id, 'basic')
  await setLimits(config, user.id, { requestsPerMinute: 2, requestsPerHour: NO_LIMIT })
  await untilSeeded([gatewayUrl], apiKey)
  const answers = [
    await listTrades(gatewayUrl, apiKey),
    await listTrades(gatewayUrl, apiKey),
    await listTrades(gatewayUrl, apiKey),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
  const requestId = answers[2]?.headers.get('x-request-id') ?? ''
  const detail = await waitUntil(
    'the request is in the log',
    async () => (await read<RequestDetail | undefined>(jwtToken, `requests/${requestId}`)) ?? undefined,
    COUNTED_WITHIN_MS,
  )
  const { explanation } = detail
  expect(explanation.text).toMatch(
    /^Rejected: 2 of 2 requests used in the last minute\. The next request was possible at [\dT:.Z-]+\. /,
  )
  expect(explanation.windows.find(({ policy }) => policy === 'min')).toMatchObject({ has_denied: true, remaining: 0 })
  expect(Date.parse(explanation.passes_at ?? '')).toBeGreaterThan(Date.parse(detail.time))
  expect(detail).toMatchObject({ status: 429, code: 'limit.minute_exceeded', latency: { upstream_ms: null } })
  const { requests } = await read<RequestPage>(jwtToken, 'requests?outcome=denied')
  expect(requests.map(({ request_id }) => request_id)).toEqual([requestId])
  expect((await download(jwtToken, 'requests/export?outcome=denied')).text).toContain(requestId)

  const other = await signUpUser(gatewayUrl)
  await setTier(config, other.user.id, 'basic')
  const responses = await Promise.all(
    [requestId, detail.id, 'f'.repeat(32)].map(async (id) => {
      const { body } = await send<{ status: number; code: string; message: string }>(internal(`requests/${id}`), {
        token: other.jwtToken,
      })
      return `${body.status} ${body.code} ${body.message}`
    }),
  )
  expect(new Set(responses)).toEqual(new Set(['404 logged_request.not_found There is no such request.']))
  expect((await download(other.jwtToken, 'requests/export')).text).not.toContain(requestId)
  expect((await download(jwtToken, 'requests/export')).text).toContain('notebook')
})

test('a 400 is explained by the invalid fields, never by their values', async () => {
  const { jwtToken } = await signUpUser(gatewayUrl)
  const { apiKey } = await createKeyFor(gatewayUrl, jwtToken, 'notebook')
  const response = await fetch(`${gatewayUrl}/api/v1/trades/list`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ limit: 987_654_321, start: '2026-03-02', end: '2026-03-01' }),
  })
  expect([response.status, response.headers.get('x-error-fields')]).toEqual([400, null])
  const requestId = response.headers.get('x-request-id') ?? ''
  const detail = await waitUntil(
    'the request is in the log',
    async () => (await read<RequestDetail | undefined>(jwtToken, `requests/${requestId}`)) ?? undefined,
    COUNTED_WITHIN_MS,
  )
  expect(detail.explanation.text).toMatch(/^Rejected by market-data: `limit` must be \d+ or less\.$/)
  expect(JSON.stringify(detail)).not.toContain('987654321')
})

test('free accounts see their requests, and the export names the tier that includes it', async () => {
  const { jwtToken } = await signUpUser(gatewayUrl)
  expect((await send(internal('requests'), { token: jwtToken })).status).toBe(200)
  const refused = await send<{ message: string }>(internal('requests/export'), { token: jwtToken })
  expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('Basic plan')])
})

test('an action in an account appears in its open stream, its audit trail and its feed', async () => {
  const { jwtToken } = await signUpUser(gatewayUrl)
  const controller = new AbortController()
  const stream = await fetch(internal('events').replace(gatewayUrl, gatewayUrls[1] ?? gatewayUrl), {
    headers: { authorization: `Bearer ${jwtToken}` },
    signal: controller.signal,
  })
  let received = ''
  const consume = async () => {
    for await (const piece of stream.body ?? []) received += Buffer.from(piece).toString()
  }
  const done = consume().catch(() => {})
  await waitUntil('the stream is open', () => received.includes('event: open'))
  const { key } = await createKeyFor(gatewayUrl, jwtToken, 'robot')
  await waitUntil('the stream has it', () => received.includes('API key “robot” was created'), COUNTED_WITHIN_MS)
  const inTrail = async () => {
    const { entries } = await read<TrailPage>(jwtToken, `audit-trail?subject=${key.id}`)
    return entries.length > 0 ? entries : undefined
  }
  const entries = await waitUntil('the trail has it', inTrail, COUNTED_WITHIN_MS)
  expect(entries).toMatchObject([{ type: 'api-key.created.v1', actor: { kind: 'user' } }])
  const inFeed = async () => {
    const page = await read<NotificationPage>(jwtToken, 'notifications')
    return page.unread > 0 ? page : undefined
  }
  const feed = await waitUntil('the feed has it', inFeed, COUNTED_WITHIN_MS)
  expect(feed).toMatchObject({ unread: 1, notifications: [{ kind: 'key_created' }] })
  const read1 = await send<Data<{ unread: number }>>(internal('notifications/read'), {
    method: 'PATCH',
    token: jwtToken,
  })
  expect(read1.body.data.unread).toBe(0)
  expect((await send(internal('user/logout'), { method: 'PATCH', token: jwtToken })).status).toBe(200)
  await waitUntil(
    'the stream ends',
    () => received.includes('event: end\ndata: {"code":"session.ended"}'),
    COUNTED_WITHIN_MS,
  )
  await done
  controller.abort()
})

test('the platform status is public', async () => {
  const { body } = await send<Data<PlatformStatus>>(`${gatewayUrl}/api/v1/status`)
  const names = body.data.components.map(({ component }) => component)
  expect(names).toEqual(expect.arrayContaining(['api-key', 'market-data']))
})
