import { type Period, PERIODS } from '@tapeline/contracts/audit/http'
import type { UserActor } from '@tapeline/contracts/actor'
import { someUser } from '@tapeline/testing/actors'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { usageEvent } from '@tapeline/testing/usage/usage-event'

const MINUTE_MS = 60_000
const LENGTH_MS: Record<Period, number> = {
  '1h': 60 * MINUTE_MS,
  '24h': 1_440 * MINUTE_MS,
  '7d': 7 * 1_440 * MINUTE_MS,
  '30d': 30 * 1_440 * MINUTE_MS,
  '90d': 90 * 1_440 * MINUTE_MS,
}
const { clock, get, record, close } = await openTestApp('2026-11-05T10:20:30Z')
afterAll(close)

async function totalOf(actor: UserActor, call: string): Promise<{ total: number; from: number; sum: number }> {
  const { data } = (await get(actor, `apikeyaudit/${call}`)).json()
  const series: { total: number }[] = data.series
  return { total: data.total, from: Date.parse(data.period.from), sum: series.reduce((sum, one) => sum + one.total, 0) }
}

async function loggedIn(actor: UserActor, period: Period): Promise<number> {
  let count = 0
  for (let query = `period=${period}&limit=100`; ;) {
    const { data } = (await get(actor, `requests?${query}`)).json()
    count += data.requests.length
    if (data.next_cursor === null) return count
    query = `limit=100&cursor=${data.next_cursor}`
  }
}

test.each(['UTC', 'America/New_York', 'Asia/Kathmandu'])(
  'a period covers the same requests, to the minute, in every usage call and in the log: %s',
  async (timeZone) => {
    const actor = { ...someUser({ tier: 'pro' }), timeZone }
    clock.nowMs = Date.parse('2026-11-05T10:20:30Z')
    const startOf = (period: Period) => Math.floor(clock.nowMs / MINUTE_MS) * MINUTE_MS - LENGTH_MS[period]
    // Times on both sides of each start, and in between.
    const edges = PERIODS.flatMap((period) => [-61_000, -1, 0, 59_000].map((ms) => startOf(period) + ms))
    const between = Array.from({ length: 60 }, (_, n) => clock.nowMs - n * n * 35 * MINUTE_MS)
    // Nothing is older than the retention of 90 days.
    const times = [...edges, ...between].filter((time) => time >= startOf('90d'))
    await record(...times.map((time) => usageEvent({ account_id: actor.userId, at: new Date(time) })))
    for (const laterMs of [0, 29_400, 13 * MINUTE_MS]) {
      clock.nowMs = Date.parse('2026-11-05T10:20:30Z') + laterMs
      for (const period of PERIODS) {
        const total = times.filter((time) => time >= startOf(period)).length
        const expected = { total, from: startOf(period), sum: total }
        expect(await totalOf(actor, `dashboard-metrics?period=${period}`)).toEqual(expected)
        expect(await totalOf(actor, `usage-breakdown?period=${period}&groupBy=network`)).toEqual(expected)
        expect(await totalOf(actor, `api-key-usage?period=${period}`)).toEqual(expected)
        expect(await loggedIn(actor, period)).toBe(total)
      }
    }
  },
)
