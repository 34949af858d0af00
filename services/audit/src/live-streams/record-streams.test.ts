import type { Event } from '@tapeline/contracts/event'
import type { UsageStreamDelivered } from '@tapeline/contracts/usage/events'
import { PROPERTY_SEED } from '@tapeline/testing/property-seed'
import { seededRandom } from '@tapeline/testing/seeded-random'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { streamEvent } from '@tapeline/testing/usage/usage-event'
import { afterAll, expect, test } from 'vitest'
import { maintainPartitions } from '../ingest/maintain-partitions.ts'
import { migrations } from '../migrations/all.ts'
import { verifyUsage } from '../reconciliation/verify-usage.ts'
import type { Tables } from '../tables.ts'
import { recordStreams } from './record-streams.ts'
import { reportStreams } from './report-streams.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
afterAll(drop)

const DAY_MS = 86_400_000
const record = (events: Event<UsageStreamDelivered>[]) =>
  db.transaction().execute((trx) => recordStreams({ db }, trx, events))
const reportOf = (accountId: string, edgesMs: number[], keyId?: string) =>
  reportStreams(db, { accountId, keyId, edgesMs })
const today = Math.floor(Date.now() / DAY_MS) * DAY_MS

test('an event that is sent again, alone or in its batch, counts once', async () => {
  const event = streamEvent({ at: new Date(today + 1_000) })
  await record([event, event])
  await record([{ ...event, id: event.id.toUpperCase() }, streamEvent()])
  const { series, ...all } = await reportOf(event.data.account_id, [today, today + DAY_MS])
  expect(all).toEqual({ connections: 1, messages: 10, bytes_in: 100, bytes_out: 5_000, open_ms: 60_000 })
  expect(series).toEqual([all])
  expect(await verifyUsage(db, event.data.account_id)).toMatchObject({ isRight: true, streams: [] })
})

test('a connection of several minutes is one connection in the bucket in which it was opened', async () => {
  const account_id = crypto.randomUUID()
  const at = (minute: number) => new Date(today + minute * 60_000)
  await record([
    streamEvent({ account_id, at: at(58), opened: true, ended: false }),
    streamEvent({ account_id, at: at(59), opened: false, ended: false }),
    streamEvent({ account_id, at: at(60), opened: false, ended: true, open_ms: 5_000 }),
  ])
  const { series } = await reportOf(account_id, [today, today + 3_600_000, today + 2 * 3_600_000])
  expect(series.map(({ connections, messages, open_ms }) => [connections, messages, open_ms])).toEqual([
    [1, 20, 120_000],
    [0, 10, 5_000],
  ])
})

test('random edges, keys and batches with repetitions: every report is the plain sum of the events', async () => {
  const random = seededRandom(PROPERTY_SEED)
  const account_id = crypto.randomUUID()
  const keys = ['session', crypto.randomUUID()]
  const upTo = (limit: number) => Math.floor(random() * limit)
  const sent: Event<UsageStreamDelivered>[] = []
  for (let batch = 0; batch < 20; batch += 1) {
    const events = Array.from({ length: 1 + upTo(40) }, () => {
      const again = sent[upTo(sent.length)]
      if (again !== undefined && random() < 0.2) return again
      const at = new Date(today - upTo(20 * DAY_MS))
      const counts = { messages: upTo(1_000), bytes_in: upTo(100), bytes_out: upTo(1e6), open_ms: upTo(60_000) }
      return streamEvent({ account_id, at, key_id: keys[upTo(2)] ?? '', opened: random() < 0.3, ...counts })
    })
    sent.push(...events)
    await record(events)
  }
  const unique = [...new Map(sent.map((event) => [event.id, event])).values()]
  for (let round = 0; round < 20; round += 1) {
    const edges = Array.from({ length: 6 }, () => Math.floor((today - upTo(21 * DAY_MS)) / 60_000) * 60_000)
    const edgesMs = [...new Set(edges)].toSorted((a, b) => a - b)
    const keyId = [undefined, ...keys][upTo(3)]
    const { series } = await reportOf(account_id, edgesMs, keyId)
    const expected = edgesMs.slice(1).map((toMs, n) => {
      const inside = unique.filter(({ time, data }) => {
        const timeMs = Date.parse(time)
        return timeMs >= (edgesMs[n] ?? 0) && timeMs < toMs && (keyId === undefined || data.key_id === keyId)
      })
      const sum = (of: (data: UsageStreamDelivered) => number) => inside.reduce((all, { data }) => all + of(data), 0)
      return {
        connections: sum(({ opened }) => Number(opened)),
        messages: sum(({ messages }) => messages),
        bytes_in: sum(({ bytes_in }) => bytes_in),
        bytes_out: sum(({ bytes_out }) => bytes_out),
        open_ms: sum(({ open_ms }) => open_ms),
      }
    })
    expect(series).toEqual(expected)
  }
  expect(await verifyUsage(db, account_id)).toMatchObject({ isRight: true, streams: [] })
})

test('wrong sums are found, and rows are dropped after their retention while sums of days stay', async () => {
  const account_id = crypto.randomUUID()
  await record([streamEvent({ account_id, at: new Date(today - 100 * DAY_MS) })])
  await maintainPartitions({ db, now: () => new Date(), retention: { rowDays: 90 } })
  const rows = await db.selectFrom('usage_stream').select('id').where('account_id', '=', account_id).execute()
  expect(rows).toEqual([])
  const { messages } = await reportOf(account_id, [today - 101 * DAY_MS, today - 99 * DAY_MS])
  expect(messages).toBe(10)
  await record([streamEvent({ account_id, at: new Date(today) })])
  expect(await verifyUsage(db, account_id)).toMatchObject({ isRight: true })
  await db.updateTable('usage_stream_sum').set({ messages: 1 }).where('account_id', '=', account_id).execute()
  const verdict = await verifyUsage(db, account_id)
  expect(verdict).toMatchObject({ isRight: false, streams: [{ account_id }, { account_id }, { account_id }] })
})
