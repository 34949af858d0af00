import { type Event, newEvent } from '@tapeline/contracts/event'
import { accountDeleted } from '@tapeline/contracts/identity/events'
import type { Policy, UsageRequestServed } from '@tapeline/contracts/usage/events'
import { someUser } from '@tapeline/testing/actors'
import { deliverTwice } from '@tapeline/testing/kafka/deliver-twice'
import { deniedUsageEvent, usageEvent } from '@tapeline/testing/usage/usage-event'
import { randomUUIDv7 } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { eraseAccounts } from '../erasure/erase-accounts.ts'
import { maintainPartitions } from '../ingest/maintain-partitions.ts'
import { verifyUsage } from '../reconciliation/verify-usage.ts'
import { domainSubscriptions } from '../subscriptions.ts'
import { showShadowReport } from './show-shadow-report.ts'

const { db, deps, clock, ago, get, record, close } = await openTestApp('2026-03-10T12:34:56.789Z')
afterAll(close)

const DAY_MS = 86_400_000
const report = (proposal: string) => showShadowReport(deps, proposal, {})

type Shadowed = {
  proposal: string
  account: string
  minutes: number
  by?: Policy[]
  waitMs?: number
  isDenied?: boolean
  key?: string
  /** Whose shadow limits decided. */
  of?: 'shadow' | 'key_shadow'
}

function event({ proposal, account, minutes, by = [], waitMs, isDenied = false, key = 'session', of }: Shadowed) {
  const template = isDenied ? deniedUsageEvent() : usageEvent()
  const { decision } = template.data
  const fields = { account_id: account, key_id: key, at: ago(minutes), status: template.data.status }
  const wait = waitMs === undefined ? {} : { retry_after_ms: waitMs }
  const shadowed = { ...decision, [of ?? 'shadow']: { proposal, denied_by: by, ...wait } }
  return usageEvent({ ...fields, outcome: template.data.outcome, decision: shadowed })
}

test.each(['one by one', 'together'])(
  'delivered %s: a report names who would have been rejected, when and why',
  async (how) => {
    const [proposal, one, other] = [randomUUIDv7(), crypto.randomUUID(), crypto.randomUUID()]
    const own = { proposal, account: one }
    const first = event({ ...own, minutes: 200, by: ['hour'], key: 'a' })
    const last = event({ ...own, minutes: 3, by: ['burst', 'min'], key: 'b', waitMs: 4_000 })
    const events: Event<UsageRequestServed>[] = [
      last,
      event({ ...own, minutes: 195, by: ['day'], key: 'a', waitMs: 70_000 }),
      event({ ...own, minutes: 100, by: ['min'], key: 'a', isDenied: true }),
      first,
      event({ ...own, minutes: 199, by: ['month'], key: 'a' }),
      event({ ...own, minutes: 150 }),
      event({ proposal, account: other, minutes: 150, isDenied: true }),
      event({ proposal, account: crypto.randomUUID(), minutes: 150 }),
      event({ proposal: randomUUIDv7(), account: one, minutes: 150, by: ['day'] }),
      usageEvent({ account_id: one, at: ago(90) }),
    ]
    if (how === 'one by one') for (const each of events) await record(each)
    // Delivered again, each counts once.
    for (let n = 0; n < 2; n += 1) await record(...events)
    const shown = await report(proposal)
    expect(shown).toMatchObject({ accounts: 3, accounts_affected: 1, requests: 8, rejected: 2, would_be_rejected: 5 })
    expect(shown).toMatchObject({ newly_rejected: 4, newly_admitted: 1, to: '2026-03-10T13:00:00.000Z' })
    expect([shown.longest_wait_ms, shown.rows.map((row) => row.longest_wait_ms)]).toEqual([70_000, [70_000, null]])
    expect(shown.hours.map(({ requests, would_be_rejected }) => [requests, would_be_rejected])).toEqual([
      [3, 3],
      [4, 1],
      [1, 1],
    ])
    expect(shown.rows.map(({ account_id }) => account_id)).toEqual([one, other])
    const [affected] = shown.rows
    expect(affected).toMatchObject({
      requests: 6,
      policies: [
        { policy: 'burst', requests: 1 },
        { policy: 'min', requests: 2 },
        { policy: 'hour', requests: 1 },
        { policy: 'day', requests: 1 },
        { policy: 'month', requests: 1 },
      ],
      keys: [
        { key_id: 'a', would_be_rejected: 4 },
        { key_id: 'b', would_be_rejected: 1 },
      ],
      first: { at: first.time, request_id: first.data.request_id, policies: ['hour'] },
      last_at: last.time,
    })
    expect(shown.rows[1]).toMatchObject({ newly_admitted: 1, policies: [], keys: [], first: null, last_at: null })
  },
)

test('only admins see in the log of their requests what shadow limits decided', async () => {
  const proposal = randomUUIDv7()
  for (const [role, shown] of [
    ['admin', ['min']] as const,
    ['tester', undefined] as const,
    ['user', undefined] as const,
  ]) {
    const actor = someUser({ role })
    const recorded = event({ proposal, account: actor.userId, minutes: 5, by: ['min'], waitMs: 4_000 })
    await record(recorded)
    const { data } = (await get(actor, `requests/${recorded.data.request_id}`)).json()
    const waitMs = shown === undefined ? undefined : 4_000
    expect([data.status, data.shadow_denied_by, data.shadow_retry_after_ms]).toEqual([200, shown, waitMs])
    expect(JSON.stringify(data)).not.toContain(proposal)
  }
})

test('the owner of a key reads what its proposed limits decided, in the report and with each request', async () => {
  const [ofTier, ofKey, owner] = [randomUUIDv7(), randomUUIDv7(), someUser()]
  const mine = { proposal: ofKey, account: owner.userId, key: 'a', of: 'key_shadow' as const }
  const denied = event({ ...mine, minutes: 90, by: ['min'], waitMs: 9_000 })
  const both = event({ ...mine, minutes: 30, by: ['hour'], waitMs: 5_000 })
  both.data.decision.shadow = { proposal: ofTier, denied_by: ['day'], retry_after_ms: 8 }
  await record(denied, both, event({ ...mine, minutes: 10 }))
  const read = async (actor: typeof owner) => (await get(actor, `apikeyaudit/key-shadow/${ofKey}`)).json().data
  expect(await read(owner)).toMatchObject({
    requests: 3,
    rejected: 0,
    would_be_rejected: 2,
    newly_rejected: 2,
    newly_admitted: 0,
    longest_wait_ms: 9_000,
    policies: [
      { policy: 'min', requests: 1 },
      { policy: 'hour', requests: 1 },
    ],
    first: { at: denied.time, request_id: denied.data.request_id, policies: ['min'] },
    last_at: both.time,
    hours: [{ would_be_rejected: 1 }, { would_be_rejected: 1 }],
  })
  expect(await read(someUser())).toMatchObject({ requests: 0, first: null, policies: [], hours: [] })
  expect(await report(ofTier)).toMatchObject({
    requests: 1,
    longest_wait_ms: 8,
    rows: [{ policies: [{ policy: 'day' }] }],
  })
  const { data } = (await get(owner, `requests/${both.data.request_id}`)).json()
  expect(data.key_shadow).toEqual({ proposal: ofKey, denied_by: ['hour'], retry_after_ms: 5_000 })
  expect(data).not.toHaveProperty('shadow_denied_by')
})

test('the sums of a deleted account are erased, those of others stay, and the usage is still verified', async () => {
  const proposal = randomUUIDv7()
  const [gone, other] = [someUser(), someUser()]
  const rejected = { proposal, minutes: 5, by: ['min'] as Policy[] }
  for (const { userId } of [gone, other]) await record(event({ ...rejected, account: userId }))
  const ofKey = { ...rejected, proposal: randomUUIDv7(), of: 'key_shadow' as const }
  await record(event({ ...ofKey, account: gone.userId }))
  const about = { id: randomUUIDv7(), time: ago(0), subject: gone.userId, account: gone.userId }
  const deleted = newEvent(accountDeleted, {
    ...about,
    actor: { kind: 'service', service: 'identity' },
    data: { user_id: gone.userId, version: 3 },
  })
  await deliverTwice(db, domainSubscriptions(deps), deleted)
  await eraseAccounts(deps)
  expect((await report(proposal)).rows.map(({ account_id }) => account_id)).toEqual([other.userId])
  expect(await report(ofKey.proposal)).toMatchObject({ requests: 0, rows: [] })
  expect(await verifyUsage(db, gone.userId)).toMatchObject({ isRight: true, rows: 2 })
})

test('sums are kept as long as the rows of requests', async () => {
  const [proposal, account] = [randomUUIDv7(), crypto.randomUUID()]
  for (const minutes of [2 * 1_440, 5]) await record(event({ proposal, account, minutes, by: ['min'] }))
  expect(await report(proposal)).toMatchObject({ requests: 2 })
  clock.nowMs += (deps.retention.rowDays - 1) * DAY_MS
  await maintainPartitions(deps)
  const all = { from: ago(92 * 1_440 - 120).toISOString() }
  expect(await showShadowReport(deps, proposal, all)).toMatchObject({ requests: 1 })
})
