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
import { keepPartitions } from '../ingest/keep-partitions.ts'
import { verifyUsage } from '../reconciliation/verify-usage.ts'
import { domainSubscriptions } from '../subscriptions.ts'
import { showShadowReport } from './show-shadow-report.ts'

const { db, deps, clock, ago, get, record, close } = await openTestApp('2026-03-10T12:34:56.789Z')
afterAll(close)

const DAY_MS = 86_400_000
const report = (proposal: string) => showShadowReport(deps, proposal, {})

type Shadowed = { proposal: string; account: string; minutes: number; by?: Policy[]; isDenied?: boolean; key?: string }

function event({ proposal, account, minutes, by = [], isDenied = false, key = 'session' }: Shadowed) {
  const made = isDenied ? deniedUsageEvent() : usageEvent()
  const { decision } = made.data
  const fields = { account_id: account, key_id: key, at: ago(minutes), status: made.data.status }
  const shadowed = { ...decision, shadow: { proposal, denied_by: by } }
  return usageEvent({ ...fields, outcome: made.data.outcome, decision: shadowed })
}

test.each(['one by one', 'together'])(
  'delivered %s: a report names who would have been rejected, when and why',
  async (how) => {
    const [proposal, one, other] = [randomUUIDv7(), crypto.randomUUID(), crypto.randomUUID()]
    const own = { proposal, account: one }
    const first = event({ ...own, minutes: 200, by: ['hour'], key: 'a' })
    const last = event({ ...own, minutes: 3, by: ['burst', 'min'], key: 'b' })
    const events: Event<UsageRequestServed>[] = [
      last,
      event({ ...own, minutes: 195, by: ['day'], key: 'a' }),
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
    const made = event({ proposal, account: actor.userId, minutes: 5, by: ['min'] })
    await record(made)
    const { data } = (await get(actor, `requests/${made.data.request_id}`)).json()
    expect([data.status, data.shadow_denied_by]).toEqual([200, shown])
    expect(JSON.stringify(data)).not.toContain(proposal)
  }
})

test('the sums of a deleted account are erased, those of others stay, and the usage is still verified', async () => {
  const proposal = randomUUIDv7()
  const [gone, other] = [someUser(), someUser()]
  const rejected = { proposal, minutes: 5, by: ['min'] as Policy[] }
  for (const { userId } of [gone, other]) await record(event({ ...rejected, account: userId }))
  const about = { id: randomUUIDv7(), time: ago(0), subject: gone.userId, account: gone.userId }
  const deleted = newEvent(accountDeleted, {
    ...about,
    actor: { kind: 'service', service: 'identity' },
    data: { user_id: gone.userId, version: 3 },
  })
  await deliverTwice(db, domainSubscriptions(deps), deleted)
  await eraseAccounts(deps)
  expect((await report(proposal)).rows.map(({ account_id }) => account_id)).toEqual([other.userId])
  expect(await verifyUsage(db, gone.userId)).toMatchObject({ isRight: true, rows: 1 })
})

test('sums are kept as long as the rows of requests', async () => {
  const [proposal, account] = [randomUUIDv7(), crypto.randomUUID()]
  for (const minutes of [2 * 1_440, 5]) await record(event({ proposal, account, minutes, by: ['min'] }))
  expect(await report(proposal)).toMatchObject({ requests: 2 })
  clock.nowMs += (deps.retention.rowDays - 1) * DAY_MS
  await keepPartitions(deps)
  const all = { from: ago(92 * 1_440 - 120).toISOString() }
  expect(await showShadowReport(deps, proposal, all)).toMatchObject({ requests: 1 })
})
