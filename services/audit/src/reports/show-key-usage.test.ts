import type { Actor } from '@tapeline/contracts/actor'
import type { UsageReport } from '@tapeline/contracts/audit/http'
import { someUser } from '@tapeline/testing/actors'
import { callAs } from '@tapeline/testing/call-as'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { deniedUsageEvent, usageEvent } from '@tapeline/testing/usage/usage-event'

const { app, ago, close, record } = await openTestApp('2026-03-10T12:34:56.789Z')
afterAll(close)

const API_KEY = { kind: 'service', service: 'api-key' } as const
const HOUR = 60
const show = (actor: Actor, body: unknown) =>
  callAs(app, 'audit', actor, { method: 'POST', url: '/internal/key-usage', body })

async function reportOf(body: unknown): Promise<UsageReport> {
  const answered = await show(API_KEY, body)
  expect(answered.statusCode).toBe(200)
  return answered.json()
}

test('the usage of a key’s last days is reported by endpoint or as one row', async () => {
  const owner = someUser({ tier: 'basic' })
  const keyId = crypto.randomUUID()
  const own = { account_id: owner.userId, key_id: keyId, kid: 'abcdefghijkl' }
  await record(
    usageEvent({ ...own, at: ago(5) }),
    usageEvent({ ...own, at: ago(26 * HOUR), route: '/api/v1/health' }),
    deniedUsageEvent({ ...own, at: ago(10 * 24 * HOUR) }),
    usageEvent({ account_id: owner.userId, at: ago(5) }),
  )
  const month = await reportOf({ owner, key_id: keyId, days: 30, group_by: 'key' })
  expect(month).toMatchObject({ total: 3, denied: 1, period: { bucket: 'day' }, rows: [{ key: keyId, total: 3 }] })
  expect(month.series).toHaveLength(31)
  const twoDays = await reportOf({ owner, key_id: keyId, days: 2, group_by: 'endpoint' })
  expect(twoDays).toMatchObject({ total: 2, period: { from: '2026-03-08T12:34:00.000+00:00', bucket: 'hour' } })
  expect(twoDays.series).toHaveLength(49)
  expect(twoDays.rows.map(({ key }) => key).toSorted()).toEqual(['/api/v1/health', '/api/v1/trades/list'])
})

test('a key that was never used has zeros; the free tier gets `locked` entries and no error', async () => {
  const owner = someUser()
  const report = await reportOf({ owner, key_id: crypto.randomUUID(), days: 8, group_by: 'endpoint' })
  expect(report).toMatchObject({ total: 0, rows: [], latency_ms: null })
  expect(report.series).toHaveLength(9)
  expect(report.locked[0]).toMatchObject({ feature: 'basicAnalytics', tier: 'basic' })
})

test.each([
  ['/days', { days: 91 }],
  ['/days', { days: 0 }],
  ['/key_id', { key_id: 'session' }],
  ['/group_by', { group_by: 'network' }],
])('an invalid request names %s', async (field, wrong) => {
  const question = { owner: someUser(), key_id: crypto.randomUUID(), days: 30, group_by: 'key' }
  expect((await show(API_KEY, { ...question, ...wrong })).json()).toMatchObject({ status: 400, errors: [{ field }] })
})

test('only api-key may call it', async () => {
  const question = { owner: someUser(), key_id: crypto.randomUUID(), days: 30, group_by: 'key' }
  for (const actor of [someUser({ role: 'admin' }), { kind: 'service', service: 'gateway' } as const]) {
    expect((await show(actor, question)).statusCode).toBe(404)
  }
})
