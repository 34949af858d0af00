import type { Event } from '@tapeline/contracts/event'
import type { UsageRequestServed } from '@tapeline/contracts/usage/events'
import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import { seededRandom } from '@tapeline/testing/seeded-random'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { afterAll, expect, test } from 'vitest'
import { migrations } from '../migrations/all.ts'
import { recordUsage } from './record-usage.ts'
import { deniedUsageEvent, usageEvent } from '@tapeline/testing/usage/usage-event'
import type { Tables } from '../tables.ts'
import { verifyUsage } from '../reconciliation/verify-usage.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
afterAll(drop)

const record = (events: Event<UsageRequestServed>[]) =>
  db.transaction().execute((trx) => recordUsage({ db, now: () => new Date() }, trx, events))
const HOUR_MS = 3_600_000

test('a request adds one row and one to each roll-up', async () => {
  const event = usageEvent()
  await record([event])
  const verdict = await verifyUsage(db, event.data.account_id)
  expect(verdict).toMatchObject({ isRight: true, rows: 1, levels: { minute: { requests: 1 }, day: { latencies: 1 } } })
})

test('a repeated event, alone or in its batch, changes nothing', async () => {
  const event = usageEvent()
  await record([event, event])
  await record([event, { ...event, id: event.id.toUpperCase() }])
  expect(await verifyUsage(db, event.data.account_id)).toMatchObject({ isRight: true, rows: 1 })
})

test('a repeated event in a large batch of new ones changes nothing, and the others are counted', async () => {
  const accountId = crypto.randomUUID()
  const events = Array.from({ length: 300 }, () => usageEvent({ account_id: accountId }))
  await record(events.slice(0, 150))
  expect(await verifyUsage(db, accountId)).toMatchObject({ isRight: true, rows: 150 })
  await record(events.slice(149))
  expect(await verifyUsage(db, accountId)).toMatchObject({ isRight: true, rows: 300, repeatedIds: 0 })
})

test('the latest request of an account is the last one by time, not by its place in the batch', async () => {
  const account_id = crypto.randomUUID()
  const [later, earlier] = [new Date('2026-03-01T12:00:00Z'), new Date('2026-03-01T11:00:00Z')]
  await record([later, earlier].map((at) => usageEvent({ account_id, at })))
  const row = await db
    .selectFrom('usage_account')
    .select('last_at')
    .where('account_id', '=', account_id)
    .executeTakeFirst()
  expect(new Date(String(row?.last_at))).toEqual(later)
})

test('after random batches with repetitions every level is the sum of its rows', async () => {
  const random = seededRandom(PROPERTY_SEED)
  const accounts = [crypto.randomUUID(), crypto.randomUUID()]
  const sent: Event<UsageRequestServed>[] = []
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  for (let batch = 0; batch < 30; batch += 1) {
    const events = Array.from({ length: Math.ceil(random() * 160) }, () => {
      if (sent.length > 0 && random() < 0.3) return pick(sent)
      const at = new Date(Date.now() - Math.floor(random() * 50 * HOUR_MS))
      const usage = { account_id: pick(accounts), at, route: pick(['/a', '/b']), key_id: pick(['k', 'session']) }
      if (random() < 0.2) return deniedUsageEvent(usage)
      const outcome = pick(['ok', 'client_error', 'server_error', 'aborted'] as const)
      return usageEvent({ ...usage, outcome, latency_us: Math.ceil(random() ** 4 * 5_000_000) })
    })
    sent.push(...events)
    await record(events)
  }
  const unique = new Set(sent.map(({ id }) => id)).size
  const verdicts = await Promise.all(accounts.map((account) => verifyUsage(db, account)))
  for (const verdict of verdicts) expect(verdict).toMatchObject({ isRight: true, repeatedIds: 0 })
  expect(verdicts.reduce((sum, { rows }) => sum + rows, 0)).toBe(unique)
})

test('an interrupted batch stores nothing, and is counted once when it is repeated', async () => {
  const accountId = crypto.randomUUID()
  const events = Array.from({ length: 50 }, () => usageEvent({ account_id: accountId }))
  const cut = db.transaction().execute(async (trx) => {
    await recordUsage({ db, now: () => new Date() }, trx, events)
    throw new Error('killed')
  })
  await expect(cut).rejects.toThrow('killed')
  expect(await verifyUsage(db, accountId)).toMatchObject({
    isRight: true,
    rows: 0,
    levels: { minute: { requests: 0 } },
  })
  await record(events)
  expect(await verifyUsage(db, accountId)).toMatchObject({ isRight: true, rows: 50 })
})

test('the size of sketches is bounded', async () => {
  const accountId = crypto.randomUUID()
  const at = new Date()
  for (let batch = 0; batch < 60; batch += 1) {
    await record(
      Array.from({ length: 20 }, (_, n) =>
        usageEvent({ account_id: accountId, at, latency_us: 500 + 137 * n * batch }),
      ),
    )
  }
  const rows = await db.selectFrom('usage_day').select('latency').where('account_id', '=', accountId).execute()
  expect(rows.map(({ latency }) => latency.length).every((bytes) => bytes < 2_500)).toBe(true)
  expect(await verifyUsage(db, accountId)).toMatchObject({ isRight: true, rows: 1_200 })
})

test('the limits of an account are those of its latest request, regardless of the order of arrival', async () => {
  const accountId = crypto.randomUUID()
  const decided = (at: Date, used: number) => {
    const event = usageEvent({ account_id: accountId, at })
    event.data.decision.windows = [{ policy: 'min', used, limit: 10 }]
    return event
  }
  const now = Date.now()
  await record([decided(new Date(now), 7), decided(new Date(now - 2_000), 5)])
  await record([decided(new Date(now - 1_000), 6)])
  const row = await db.selectFrom('usage_account').selectAll().where('account_id', '=', accountId).executeTakeFirst()
  expect(row?.windows).toEqual([{ policy: 'min', used: 7, limit: 10 }])
})
