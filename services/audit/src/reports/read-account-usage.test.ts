import type { Actor } from '@tapeline/contracts/actor'
import { AccountUsage } from '@tapeline/contracts/audit/account-usage'
import { someUser } from '@tapeline/testing/actors'
import { callAs } from '@tapeline/testing/call-as'
import { Value } from 'typebox/value'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { deniedUsageEvent, usageEvent } from '@tapeline/testing/usage/usage-event'

const { app, close, record } = await openTestApp('2026-03-30T09:00:00.000Z')
afterAll(close)

const IDENTITY = { kind: 'service', service: 'identity' } as const
// In New York this Sunday in March had 23 hours.
const DAY = { from: '2026-03-08T05:00:00Z', to: '2026-03-09T04:00:00Z' }

function readUsage(actor: Actor, accountId: string, query: Record<string, string> = DAY) {
  const url = `/internal/accounts/${accountId}/usage?${new URLSearchParams(query).toString()}`
  return callAs(app, 'audit', actor, { method: 'GET', url })
}

test("a day's usage covers its first to its last minute, with the highest use of the limits", async () => {
  const { userId } = someUser()
  const usedAt = (at: string, used: number) => {
    const event = usageEvent({ account_id: userId, at: new Date(at) })
    event.data.decision.windows = [{ policy: 'day', used, limit: 1_000, reset_ms: 1_000 }]
    return event
  }
  await record(
    usedAt('2026-03-08T04:59:59.999Z', 900),
    usedAt('2026-03-08T05:00:00Z', 300),
    usedAt('2026-03-08T12:00:00Z', 400),
    deniedUsageEvent({ account_id: userId, at: new Date('2026-03-09T03:59:59.999Z') }),
    usedAt('2026-03-09T04:00:00Z', 500),
    usageEvent({ account_id: someUser().userId, at: new Date('2026-03-08T12:00:00Z') }),
  )
  const usage = Value.Parse(AccountUsage, (await readUsage(IDENTITY, userId)).json())
  expect(usage).toMatchObject({ total: 3, success: 2, failed: 1, denied: 1, server_errors: 0 })
  expect(usage.limits.find(({ policy }) => policy === 'day')).toMatchObject({ limit: 1_000, peak: 400 })
})

test('an account without requests has zeros; times in the wrong order are rejected', async () => {
  const { userId } = someUser()
  expect((await readUsage(IDENTITY, userId)).json()).toMatchObject({ total: 0, limits: [] })
  const backwards = await readUsage(IDENTITY, userId, { from: DAY.to, to: DAY.from })
  expect(backwards.json()).toMatchObject({ status: 400, code: 'period.invalid' })
})

test('only identity may call it', async () => {
  const owner = someUser({ role: 'admin' })
  for (const actor of [owner, { kind: 'service', service: 'api-key' } as const]) {
    expect((await readUsage(actor, owner.userId)).statusCode).toBe(404)
  }
})
