import type { UserActor } from '@tapeline/contracts/actor'
import { apiKeyCreated } from '@tapeline/contracts/api-key/events'
import type { RequestPage } from '@tapeline/contracts/audit/requests'
import { newEvent } from '@tapeline/contracts/event'
import { someUser } from '@tapeline/testing/actors'
import { deliverTwice } from '@tapeline/testing/kafka/deliver-twice'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { insertManyRequests } from '../../test/requests.fixture.ts'
import { deniedUsageEvent, usageEvent } from '@tapeline/testing/usage/usage-event'
import { domainSubscriptions } from '../subscriptions.ts'

const { db, deps, ago, get, record, close } = await openTestApp('2026-03-10T12:34:56.789Z')
afterAll(close)

const DAY = 1_440

async function page(actor: UserActor, query = ''): Promise<RequestPage> {
  const answer = await get(actor, `requests?${query}`)
  expect(answer.json()).toMatchObject({ success: true })
  return answer.json().data
}

async function walk(actor: UserActor, query: string): Promise<string[]> {
  const ids: string[] = []
  let current = await page(actor, query)
  for (;;) {
    ids.push(...current.requests.map(({ id }) => id))
    if (current.next_cursor === null) return ids
    current = await page(actor, `limit=7&cursor=${current.next_cursor}`)
  }
}

test('the pages together are the whole log, newest first, over days and within one millisecond', async () => {
  const actor = someUser({ tier: 'pro' })
  const times = [...Array.from({ length: 30 }, () => ago(1)), ...Array.from({ length: 30 }, (_, n) => ago(n * 200))]
  const events = times.map((at) => usageEvent({ account_id: actor.userId, at }))
  await record(...events, usageEvent({ at: ago(2) }))
  const expected = events
    .toSorted((a, b) => (a.time === b.time ? (a.id < b.id ? 1 : -1) : a.time < b.time ? 1 : -1))
    .map(({ id }) => id)
  expect(await walk(actor, 'limit=7')).toEqual(expected)
  expect(await walk(actor, 'limit=100')).toEqual(expected)
})

test('each filter finds its matches, including refused and denied requests', async () => {
  const actor = someUser()
  const own = { account_id: actor.userId, at: ago(5) }
  const key = crypto.randomUUID()
  const other = usageEvent({ ...own, route: '/api/v1/instruments', key_id: key, at: ago(90) })
  const denied = deniedUsageEvent(own)
  const refused = usageEvent({ ...own, status: 401, outcome: 'client_error', code: 'api_key.revoked' })
  const failed = usageEvent({ ...own, status: 502, outcome: 'server_error', code: 'upstream.unavailable' })
  await record(usageEvent(own), other, denied, refused, failed)
  const found = async (query: string) => (await page(actor, query)).requests.map(({ id }) => id).toSorted()
  const ids = (...events: { id: string }[]) => events.map(({ id }) => id).toSorted()
  expect((await page(actor)).requests).toHaveLength(5)
  expect(await found('route=/api/v1/instruments')).toEqual(ids(other))
  expect(await found(`apiKeyId=${key}`)).toEqual(ids(other))
  expect(await found('status=429')).toEqual(ids(denied))
  expect(await found('status=4xx')).toEqual(ids(denied, refused))
  expect(await found('outcome=server_error')).toEqual(ids(failed))
  expect(await found('code=api_key.revoked')).toEqual(ids(refused))
  expect(await found(`requestId=${other.data.request_id.slice(4, 16)}`)).toEqual(ids(other))
  expect(await found(`requestId=${failed.data.request_id}`)).toEqual(ids(failed))
  expect(await found(`from=${ago(100).toISOString()}&to=${ago(80).toISOString()}`)).toEqual(ids(other))
  expect(await found('period=1h&status=2xx')).toHaveLength(1)
  expect(await found('status=3xx')).toEqual([])
})

test('rare matches are found page by page', async () => {
  const actor = someUser()
  await insertManyRequests(db, { accountId: actor.userId, count: 2_500, newest: ago(1), everyMs: 6_000 })
  const rare = [100, 200].map((minutes) => deniedUsageEvent({ account_id: actor.userId, at: ago(minutes + 0.05) }))
  await record(...rare)
  expect(await walk(actor, 'limit=1&outcome=denied')).toEqual(rare.map(({ id }) => id))
})

test("the log covers the tier's days and reports its start", async () => {
  const userId = crypto.randomUUID()
  await record(...[1, 8 * DAY, 40 * DAY].map((minutes) => usageEvent({ account_id: userId, at: ago(minutes) })))
  const reaches = async (tier: 'free' | 'basic' | 'pro') => {
    const { requests, kept_from } = await page(someUser({ userId, tier }))
    return [requests.length, kept_from]
  }
  expect(await reaches('free')).toEqual([1, '2026-03-03T12:34:00.000Z'])
  expect(await reaches('basic')).toEqual([2, '2026-02-08T12:34:00.000Z'])
  expect(await reaches('pro')).toEqual([3, '2025-12-10T12:34:00.000Z'])
})

test('a cursor is valid only for its own call and filter', async () => {
  const actor = someUser()
  await record(...[1, 2, 3].map((minutes) => usageEvent({ account_id: actor.userId, at: ago(minutes) })))
  const { next_cursor: cursor } = await page(actor, 'limit=1&outcome=ok')
  const code = async (call: string) => (await get(actor, call)).json().code
  expect((await page(actor, `cursor=${cursor}&outcome=ok`)).requests).toHaveLength(2)
  expect(await code(`requests?cursor=${cursor}&outcome=denied`)).toBe('cursor.filter_mismatch')
  expect(await code(`requests?cursor=${cursor}x`)).toBe('cursor.invalid')
  expect(await code(`requests?cursor=${Buffer.from('{"c":"requests"}').toString('base64url')}`)).toBe('cursor.invalid')
  expect(await code(`notifications?cursor=${cursor}`)).toBe('cursor.invalid')
  // Another account's cursor only pages through the caller's own requests.
  expect((await page(someUser(), `cursor=${cursor}`)).requests).toEqual([])
})

test.each([
  ['period=1h&from=2026-03-10T00:00:00Z', 'period.invalid', '/period'],
  ['from=2026-03-10T00:00:00Z&to=2026-03-10T00:00:00Z', 'period.invalid', '/to'],
  ['to=2016-12-31T23:59:60Z', 'request.invalid', '/to'],
  ['from=0000-01-01T00:00:00Z', 'period.invalid', '/from'],
  ['from=2026-03-10T00:00:00Z&to=9999-12-31T23:59:59-14:00', 'period.invalid', '/to'],
  ['status=4x', 'request.invalid', '/status'],
  ['limit=101', 'request.invalid', '/limit'],
  ['code=%00', 'request.invalid', '/code'],
  ['colour=red', 'request.invalid', '/colour'],
])('%s is rejected with the parameter', async (query, code, field) => {
  expect((await get(someUser(), `requests?${query}`)).json()).toMatchObject({ status: 400, code, errors: [{ field }] })
})

test('a request is found by either id, with its decision, the key’s name and the latency by stage', async () => {
  const actor = someUser()
  const keyId = crypto.randomUUID()
  const named = { key_id: keyId, kid: 'k1', account_id: actor.userId, name: 'ci', version: 1 }
  const subject = { subject: keyId, account: actor.userId, actor, id: deps.newId(), time: ago(9) }
  await deliverTwice(db, domainSubscriptions(deps), newEvent(apiKeyCreated, { ...subject, data: named }))
  const denied = deniedUsageEvent({ account_id: actor.userId, at: ago(1), key_id: keyId, kid: 'k1' })
  const served = usageEvent({ account_id: actor.userId, at: ago(1), latency_us: 4_500, upstream_latency_us: 3_000 })
  await record(denied, served)
  const show = async (id: string) => (await get(actor, `requests/${id}`)).json().data
  expect(await show(denied.id)).toEqual(await show(denied.data.request_id))
  expect(await show(denied.id)).toMatchObject({
    request_id: denied.data.request_id,
    status: 429,
    key_name: 'ci',
    network: '192.0.2.0/24',
    latency: { total_ms: 0.3, upstream_ms: null, gateway_ms: 0.3 },
    explanation: {
      verdict: 'denied',
      text:
        'Rejected: 10 of 10 requests used in the last minute. The next request was possible at 12:33:57.789Z. ' +
        'It did not count against any limit.',
      passes_at: '2026-03-10T12:33:57.789Z',
    },
  })
  expect(await show(served.id)).toMatchObject({ latency: { total_ms: 4.5, upstream_ms: 3, gateway_ms: 1.5 } })
})

test('a request rejected by a service is explained by the fields of its event, or by its code without them', async () => {
  const actor = someUser()
  const rejected = { account_id: actor.userId, at: ago(1), status: 400, outcome: 'client_error' as const }
  const rejected_fields = [{ field: '/limit', rule: 'maximum', limit: 1_000 }, { field: '/side "quoted\\' }]
  const events = [
    usageEvent({ ...rejected, code: 'request.invalid', rejected_fields }),
    usageEvent({ ...rejected, code: 'request.invalid' }),
  ]
  await record(...events)
  const explanations = await Promise.all(
    events.map(async ({ id }) => (await get(actor, `requests/${id}`)).json().data.explanation),
  )
  expect(explanations).toMatchObject([
    { rejected_fields, text: expect.stringContaining('Rejected by market-data (request.invalid): `limit` must be') },
    { rejected_fields: [], text: 'Allowed by every limit. Answered by market-data with 400 request.invalid.' },
  ])
})

test('another account’s request looks like one that does not exist', async () => {
  const event = usageEvent({ at: ago(1) })
  await record(event)
  const answers = await Promise.all(
    [event.id, event.data.request_id, crypto.randomUUID(), 'f'.repeat(32), 'what'].map(async (id) => {
      const { status, code, message } = (await get(someUser(), `requests/${id}`)).json()
      return { status, code, message }
    }),
  )
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set(['{"status":404,"code":"logged_request.not_found","message":"There is no such request."}']),
  )
})

test('a page is read from an index, day by day, and one request by its id without a scan', async () => {
  const accountId = crypto.randomUUID()
  await insertManyRequests(db, { accountId, count: 3_000, newest: ago(1), everyMs: 60_000 })
  await sql`analyze request_log`.execute(db)
  // PostgreSQL reads small partitions sequentially; the test checks which index is usable with more rows.
  const explain = (query: string) =>
    db.transaction().execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (costs off) ${sql.raw(query)}`.execute(trx)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    })
  const own = `account = (select no from request_account where account_id = '${accountId}')`
  const range = `${own} and time >= '${ago(2 * DAY).toISOString()}' and time < '${ago(0).toISOString()}'`
  const after = `time <= '${ago(1_000).toISOString()}' and (time, id) < ('${ago(1_000).toISOString()}', '${crypto.randomUUID()}')`
  const paged = await explain(
    `select id from request_log_row where ${range} and ${after} order by time desc, id desc limit 21`,
  )
  expect(paged).toContain('Index')
  // Only rows of one instant are sorted.
  expect(paged.replaceAll(/Incremental Sort|Sort Key|Presorted/g, '')).not.toMatch(/Sort|Seq Scan|Bitmap/)
  const byRequest = await explain(
    `select id from request_log_row where ${own} and uuid_hash(request_uuid) = uuid_hash('${'a'.repeat(32)}')`,
  )
  expect(byRequest).toContain('uuid_hash_idx')
  expect(byRequest).not.toContain('Seq Scan')
})

test('totals and series apply the status and outcome filters like the log', async () => {
  const actor = someUser()
  const own = { account_id: actor.userId, at: ago(5) }
  await record(
    usageEvent(own),
    usageEvent({ ...own, at: ago(300) }),
    deniedUsageEvent(own),
    usageEvent({ ...own, status: 400, outcome: 'client_error' }),
    usageEvent({ ...own, status: 502, outcome: 'server_error' }),
  )
  for (const query of ['', '&status=4xx', '&status=429', '&outcome=ok', '&outcome=client_error&status=4xx']) {
    const { data } = (await get(actor, `apikeyaudit/dashboard-metrics?period=24h${query}`)).json()
    const { requests } = await page(actor, `period=24h${query}`)
    expect({ query, total: data.total }).toEqual({ query, total: requests.length })
    expect(data.series.reduce((sum: number, { total }: { total: number }) => sum + total, 0)).toBe(requests.length)
  }
})
