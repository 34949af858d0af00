import type { UserActor } from '@tapeline/contracts/actor'
import type { AlertList, SaveAlert, UsageAlert } from '@tapeline/contracts/audit/alerts'
import type { Decision, Policy } from '@tapeline/contracts/usage/events'
import { someUser } from '@tapeline/testing/actors'
import { type Call, callAs } from '@tapeline/testing/call-as'
import { usageEvent } from '@tapeline/testing/usage/usage-event'
import { afterAll, expect, test } from 'vitest'
import { openTestWebhooks } from '../../test/webhook-app.fixture.ts'

const { app, db, deps, clock, subscriber, announce, deliveries, close } = await openTestWebhooks()
afterAll(close)

const KEY = '11111111-1111-7111-8111-111111111111'
const MINUTE_MS = 60_000
const alert = (fields: Partial<SaveAlert> = {}): SaveAlert => ({
  name: 'half a month',
  api_key_id: null,
  policy: 'month',
  percent: 50,
  channels: ['email', 'webhook'],
  active: true,
  ...fields,
})
const call = (actor: UserActor, method: Call['method'], path = '', body?: unknown) =>
  callAs(app, 'audit', actor, { method, url: `/api/v1/internal/alerts${path}`, body })

async function make(actor: UserActor, fields: Partial<SaveAlert> = {}): Promise<UsageAlert> {
  const response = await call(actor, 'POST', '', alert(fields))
  expect(response.statusCode).toBe(201)
  return response.json().data
}
const listOf = async (actor: UserActor): Promise<AlertList> => (await call(actor, 'GET')).json().data

type Use = { policy?: Policy; used: number; limit?: number; key?: Decision['key_windows']; key_id?: string }
/** A request that leaves this much of a window used. */
async function use({ userId }: UserActor, { policy = 'month', used, limit = 100, key, key_id }: Use): Promise<void> {
  const decision: Decision = {
    verdict: 'admitted',
    degraded: false,
    denied_by: [],
    retry_after_ms: 0,
    windows: [{ policy, used, limit, reset_ms: 1_000_000 }],
    ...(key === undefined ? {} : { key_windows: key }),
  }
  await announce(
    usageEvent({ account_id: userId, at: deps.now(), decision, ...(key_id === undefined ? {} : { key_id }) }),
  )
}
const raised = async ({ userId }: UserActor) => {
  const rows = db.selectFrom('notification').select(['title', 'text', 'data']).where('account_id', '=', userId)
  return rows.where('kind', '=', 'usage_alert').orderBy('created_at').execute()
}

test('an alert is raised once per month at its own level, in the feed and as a webhook', async () => {
  const { actor, id } = await subscriber({ event_types: ['usage.alert'] })
  await make(actor)
  for (const used of [10, 49, 50, 51, 99]) await use(actor, { used })
  expect(await raised(actor)).toMatchObject([
    { title: 'Alert “half a month”: 50% of the limit is used', data: { used: 50, channels: ['email', 'webhook'] } },
  ])
  expect((await deliveries(actor, id)).map(({ type, subject }) => [type, subject])).toEqual([
    ['usage.alert', 'half a month'],
  ])
  expect((await listOf(actor)).alerts).toMatchObject([{ last_raised_at: deps.now().toISOString() }])
})

test.each(['burst', 'min', 'hour', 'day', 'month', 'conc'] as const)('%s can be watched', async (policy) => {
  const actor = someUser()
  await make(actor, { policy, percent: 1, channels: [] })
  await use(actor, { policy, used: 1 })
  expect(await raised(actor)).toHaveLength(1)
})

test('an alert about a short window is raised again after ten minutes', async () => {
  const actor = someUser()
  await make(actor, { policy: 'min', percent: 90 })
  for (const _ of [1, 2]) await use(actor, { policy: 'min', used: 95 })
  clock.nowMs += 10 * MINUTE_MS
  await use(actor, { policy: 'min', used: 95 })
  expect(await raised(actor)).toHaveLength(2)
})

test("an alert of a key watches the key's own limit, and only its requests", async () => {
  const actor = someUser()
  await make(actor, { api_key_id: KEY, policy: 'day', percent: 80 })
  await use(actor, { policy: 'day', used: 99 })
  await use(actor, { policy: 'day', used: 99, key_id: KEY, key: [{ policy: 'day', used: 7, limit: 10 }] })
  expect(await raised(actor)).toEqual([])
  await use(actor, { policy: 'day', used: 10, key_id: KEY, key: [{ policy: 'day', used: 8, limit: 10 }] })
  expect(await raised(actor)).toMatchObject([{ data: { used: 8, limit: 10, key_name: KEY } }])
})

test('an alert that is moved to another key or to the account is raised again in the same month', async () => {
  const actor = someUser()
  const other = '22222222-2222-7222-8222-222222222222'
  const { id } = await make(actor, { api_key_id: KEY, percent: 80 })
  const reach = (key_id: string) => use(actor, { used: 80, key_id, key: [{ policy: 'month', used: 80, limit: 100 }] })
  await reach(KEY)
  await reach(other)
  expect(await raised(actor)).toMatchObject([{ data: { key_name: KEY } }])
  for (const api_key_id of [other, null]) {
    expect((await call(actor, 'PUT', `/${id}`, alert({ api_key_id, percent: 80 }))).statusCode).toBe(200)
    clock.nowMs += 1
    for (const _ of [1, 2]) await reach(other)
  }
  expect((await raised(actor)).map(({ data }) => data)).toMatchObject([
    { key_name: KEY },
    { key_name: other },
    { key_name: null },
  ])
})

test('a paused alert, another account and a channel without webhooks send nothing', async () => {
  const { actor, id } = await subscriber({ event_types: ['usage.alert'] })
  const { id: alertId } = await make(actor, { active: false })
  await make(someUser(), { percent: 1 })
  await use(actor, { used: 100 })
  expect(await raised(actor)).toEqual([])
  expect((await call(actor, 'PUT', `/${alertId}`, alert({ channels: ['push'] }))).statusCode).toBe(200)
  await use(actor, { used: 100 })
  expect(await raised(actor)).toHaveLength(1)
  expect(await deliveries(actor, id)).toEqual([])
})

test('changes are in the trail, and an alert of another account looks like one that does not exist', async () => {
  const [actor, other] = [someUser(), someUser()]
  const { id } = await make(actor)
  await call(actor, 'PUT', `/${id}`, alert({ percent: 60 }))
  for (const [method, body] of [
    ['PUT', alert()],
    ['DELETE', undefined],
  ] as const) {
    const foreign = await call(other, method, `/${id}`, body)
    const absent = await call(other, method, `/${crypto.randomUUID()}`, body)
    expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'alert.not_found'])
    const unlike = { request_id: '', instance: '' }
    expect({ ...foreign.json(), ...unlike }).toEqual({ ...absent.json(), ...unlike })
  }
  expect((await call(actor, 'DELETE', `/${id}`)).statusCode).toBe(200)
  const trail = db.selectFrom('audit_trail').select(['type', 'before', 'after']).where('subject', '=', id)
  expect(await trail.orderBy('position').execute()).toMatchObject([
    { type: 'audit.alert-created.v1', after: { percent: 50 } },
    { type: 'audit.alert-updated.v1', before: { percent: 50 }, after: { percent: 60 } },
    { type: 'audit.alert-deleted.v1' },
  ])
  expect((await listOf(actor)).alerts).toEqual([])
})

test('an account has at most 20 alerts, also when they are created at the same time', async () => {
  const actor = someUser()
  const responses = await Promise.all(Array.from({ length: 23 }, () => call(actor, 'POST', '', alert())))
  expect(responses.filter(({ statusCode }) => statusCode === 201)).toHaveLength(20)
  expect(responses.filter((one) => one.json().code === 'alert.limit_reached')).toHaveLength(3)
})

test.each([{ percent: 0 }, { percent: 101 }, { name: ' ' }, { policy: 'year' }, { channels: ['fax'] }])(
  '%j is rejected',
  async (fields) => {
    expect((await call(someUser(), 'POST', '', { ...alert(), ...fields })).statusCode).toBe(400)
  },
)
