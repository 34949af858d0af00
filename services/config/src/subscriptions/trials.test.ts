import type { UserActor } from '@tapeline/contracts/actor'
import { someUser } from '@tapeline/testing/actors'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { jobs } from '../jobs.ts'
import { migrations } from '../migrations/all.ts'
import type { Tables } from '../tables.ts'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { seedTiers, writeTiers } from '../tiers/write-tiers.ts'
import { cancelPlan } from './cancel-plan.ts'
import { readPlan } from './read-plan.ts'
import { readSubscription } from './read-subscription.ts'
import { setPlan } from './set-plan.ts'
import { setSubscription } from './set-subscription.ts'
import { startTrial } from './start-trial.ts'

const DAY_MS = 86_400_000
const { db, drop } = await openTestDatabase<Tables>(migrations)
afterAll(drop)
const clock = { nowMs: Date.UTC(2026, 2, 1, 12) }
const unverified = new Set<string>()
const raised: { accountId: string; version: number }[] = []
const deps = {
  db,
  now: () => new Date(clock.nowMs),
  newId: () => randomUUIDv7(),
  raiseVersion: async (version: { accountId: string; version: number }) => raised.push(version) > 0,
  findEmailState: async (id: string) => ({ email_verified: !unverified.has(id) }),
  countAccounts: async () => ({ accounts: 0, of: 0 }),
  settings: fixedSettings(),
}
const operator = { kind: 'service', service: 'operator' } as const
beforeAll(async () => void (await seedTiers(deps, operator, tierDocuments)))

async function eventsOf({ userId }: UserActor, type: string): Promise<unknown[]> {
  const rows = await db
    .selectFrom('outbox')
    .select('envelope')
    .where('subject', '=', userId)
    .orderBy('position')
    .execute()
  return rows.flatMap(({ envelope }) => {
    const event = envelope as { type: string; data: unknown }
    return event.type.startsWith(`config.${type}`) ? [event.data] : []
  })
}

/** Advances the clock by days and runs the jobs of every minute. */
async function later(days: number): Promise<void> {
  clock.nowMs += days * DAY_MS
  for (const { run } of jobs(deps)) await run()
}

test('a trial sets the larger tier immediately, for fourteen days, and keeps the rest of the subscription', async () => {
  const actor = someUser()
  const plan = await startTrial(deps, actor, { tier: 'pro' })
  const ends_at = new Date(clock.nowMs + 14 * DAY_MS).toISOString()
  expect(plan).toMatchObject({
    tier: 'pro',
    name: 'Pro',
    trial: { tier: 'pro', ends_at, days_left: 14, tier_after: 'free' },
    trials: [
      { tier: 'basic', days: 14, state: 'available' },
      { tier: 'pro', days: 14, state: 'running' },
    ],
    rate_limits: tierDocuments.pro.rateLimits,
    has_own_limits: false,
  })
  expect(raised.at(-1)).toEqual({ accountId: actor.userId, field: 's', version: 2 })
  expect(await eventsOf(actor, 'trial-started')).toEqual([
    { account_id: actor.userId, tier: 'pro', ends_at, tier_after: 'free' },
  ])
})

test('a trial ends at its time, with a notice three days and one day before, once each', async () => {
  const actor = someUser()
  await startTrial(deps, actor, { tier: 'basic' })
  const { trial_ends_at } = await readSubscription(deps, actor.userId)
  const notifiedDays = async () =>
    (await eventsOf(actor, 'trial-ending')).map((data) => (data as { days_left: number }).days_left)
  await later(10.9)
  expect(await notifiedDays()).toEqual([])
  for (const days of [0.2, 0, 1]) await later(days)
  expect(await notifiedDays()).toEqual([3])
  await later(1)
  await later(0.5)
  expect(await notifiedDays()).toEqual([3, 1])
  expect((await readPlan(deps, actor)).tier).toBe('basic')
  // At its end, whether or not a job has run.
  clock.nowMs = Date.parse(trial_ends_at ?? '')
  expect(await readPlan(deps, actor)).toMatchObject({ tier: 'free', trial: null })
  const before = raised.length
  await later(0)
  await later(0)
  expect(await readSubscription(deps, actor.userId)).toMatchObject({ tier: 'free', trial_ends_at: null, version: 3 })
  expect(raised.slice(before)).toContainEqual({ accountId: actor.userId, field: 's', version: 3 })
  expect(await eventsOf(actor, 'trial-ended')).toMatchObject([{ tier: 'basic', because: 'over', tier_after: 'free' }])
  expect(await notifiedDays()).toEqual([3, 1])
})

test('after a missed first notice only the second is sent; the end of a trial is published once', async () => {
  const actor = someUser()
  await startTrial(deps, actor, { tier: 'basic' })
  await later(13.5)
  await later(0.1)
  expect(await eventsOf(actor, 'trial-ending')).toMatchObject([{ days_left: 1 }])
})

test('each tier can be tried only once', async () => {
  const actor = someUser()
  await startTrial(deps, actor, { tier: 'basic' })
  await expect(startTrial(deps, actor, { tier: 'pro' })).rejects.toMatchObject({ code: 'trial.already_running' })
  await cancelPlan(deps, actor, { what: 'trial' })
  await expect(startTrial(deps, actor, { tier: 'basic' })).rejects.toMatchObject({ code: 'trial.already_used' })
  expect((await startTrial(deps, actor, { tier: 'pro' })).tier).toBe('pro')
  await later(20)
  await expect(startTrial(deps, actor, { tier: 'pro' })).rejects.toMatchObject({ code: 'trial.already_used' })
})

test('of concurrent starts one succeeds', async () => {
  const actor = someUser()
  const outcomes = await Promise.allSettled(
    (['basic', 'pro', 'basic', 'pro'] as const).map((tier) => startTrial(deps, actor, { tier })),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await eventsOf(actor, 'trial-started')).toHaveLength(1)
})

test('without a verified address no trial starts, and nothing changes', async () => {
  const actor = someUser()
  unverified.add(actor.userId)
  await expect(startTrial(deps, actor, { tier: 'basic' })).rejects.toMatchObject({ code: 'trial.email_not_verified' })
  expect(await readSubscription(deps, actor.userId)).toMatchObject({ tier: 'free', version: 1 })
})

test('neither an included tier nor one without a trial can be tried', async () => {
  const actor = someUser()
  await setSubscription(deps, operator, { account_id: actor.userId, tier: 'pro' })
  await expect(startTrial(deps, actor, { tier: 'basic' })).rejects.toMatchObject({ code: 'trial.tier_included' })
  const { basic } = tierDocuments
  const without = { ...tierDocuments, basic: { ...basic, billing: { ...basic.billing, trialPeriod: 0 } } }
  await writeTiers(deps, operator, { documentsAfter: () => without })
  await expect(startTrial(deps, someUser(), { tier: 'basic' })).rejects.toMatchObject({ code: 'trial.not_offered' })
  await writeTiers(deps, operator, { documentsAfter: () => tierDocuments })
})

test('a trial of a paying account ends on its previous plan, cancelled or not', async () => {
  const actor = someUser()
  await setSubscription(deps, operator, { account_id: actor.userId, tier: 'basic' })
  expect((await startTrial(deps, actor, { tier: 'pro' })).trial).toMatchObject({ tier_after: 'basic' })
  expect(await cancelPlan(deps, actor, { what: 'trial' })).toMatchObject({ tier: 'basic', trial: null })
  expect(await eventsOf(actor, 'trial-ended')).toMatchObject([{ because: 'cancelled', tier_after: 'basic' }])
  expect(await cancelPlan(deps, actor, { what: 'plan' })).toMatchObject({ tier: 'free' })
  for (const what of ['plan', 'trial'] as const) {
    await expect(cancelPlan(deps, actor, { what })).rejects.toMatchObject({ code: 'subscription.nothing_to_cancel' })
  }
})

test('cancelling a trial twice, or after its end, cancels neither a paid plan nor custom limits', async () => {
  const own = { ...tierDocuments.pro.rateLimits, requestsPerMinute: 7 }
  for (const end of [
    (actor: UserActor) => cancelPlan(deps, actor, { what: 'trial' }),
    async () => void (clock.nowMs += 14 * DAY_MS),
  ]) {
    const actor = someUser()
    await setSubscription(deps, operator, { account_id: actor.userId, tier: 'basic', rate_limits: own })
    await startTrial(deps, actor, { tier: 'pro' })
    await end(actor)
    await expect(cancelPlan(deps, actor, { what: 'trial' })).rejects.toMatchObject({
      code: 'subscription.changed_meanwhile',
      errors: [{ field: '/what', message: 'No trial is active. You are on the Basic plan.' }],
    })
    expect(await readPlan(deps, actor)).toMatchObject({ tier: 'basic', rate_limits: own })
  }
})

test('custom limits belong to the plan after a trial: assigning that plan during the trial keeps them', async () => {
  const own = { ...tierDocuments.pro.rateLimits, requestsPerMinute: 7 }
  for (const tier of ['basic', 'free'] as const) {
    const actor = someUser()
    await setSubscription(deps, operator, { account_id: actor.userId, tier: 'basic', rate_limits: own })
    await startTrial(deps, actor, { tier: 'pro' })
    const assigned = await setSubscription(deps, operator, { account_id: actor.userId, tier })
    expect(assigned).toMatchObject({ tier, rate_limits: tier === 'basic' ? own : null, trial_ends_at: null })
  }
})

test('only the plan that the caller names is cancelled: neither a trial instead of a plan nor another trial', async () => {
  const actor = someUser()
  const first = await startTrial(deps, actor, { tier: 'basic' })
  await expect(cancelPlan(deps, actor, { what: 'plan' })).rejects.toMatchObject({
    code: 'subscription.changed_meanwhile',
    errors: [{ field: '/what', message: expect.stringMatching(/^A trial of the Basic plan runs until 2/) }],
  })
  const cancelRequest = { what: 'trial', version: first.version } as const
  await cancelPlan(deps, actor, cancelRequest)
  await startTrial(deps, actor, { tier: 'pro' })
  await expect(cancelPlan(deps, actor, cancelRequest)).rejects.toMatchObject({
    code: 'subscription.changed_meanwhile',
    errors: [{ field: '/version', message: expect.stringMatching(/^A trial of the Pro plan runs until 2/) }],
  })
  expect(await readPlan(deps, actor)).toMatchObject({ tier: 'pro', trial: { tier: 'pro' } })
})

test('a tier set by an admin stays after the trial would have ended', async () => {
  const actor = someUser()
  const admin = someUser({ role: 'admin' })
  await startTrial(deps, actor, { tier: 'pro' })
  await setPlan(deps, admin, actor.userId, { tier: 'pro', reason: 'signed the contract' })
  expect(await eventsOf(actor, 'trial-ended')).toMatchObject([{ because: 'replaced', tier_after: 'pro' }])
  await later(30)
  expect(await readPlan(deps, actor)).toMatchObject({ tier: 'pro', trial: null })
  const changes = await eventsOf(actor, 'subscription-changed')
  expect(changes.at(-1)).toMatchObject({ version: 3, reason: 'signed the contract' })
})

test('custom limits outlast a trial', async () => {
  const actor = someUser()
  const own = { ...tierDocuments.pro.rateLimits, requestsPerMinute: 7 }
  await startTrial(deps, actor, { tier: 'basic' })
  await setPlan(deps, someUser({ role: 'admin' }), actor.userId, { rateLimits: own })
  expect(await readPlan(deps, actor)).toMatchObject({ tier: 'basic', trial: { tier: 'basic' }, has_own_limits: true })
  await later(15)
  expect(await readPlan(deps, actor)).toMatchObject({ tier: 'free', rate_limits: own })
})

test("of two admins the second gets a conflict with the first one's change", async () => {
  const actor = someUser()
  const admin = someUser({ role: 'admin' })
  const { version } = await readSubscription(deps, actor.userId)
  await setPlan(deps, admin, actor.userId, { tier: 'basic', version })
  await expect(setPlan(deps, admin, actor.userId, { tier: 'pro', version })).rejects.toMatchObject({
    code: 'subscription.changed_meanwhile',
    errors: expect.arrayContaining([{ field: '/tier', message: 'tier is now basic, with no trial' }]),
  })
  expect((await readSubscription(deps, actor.userId)).tier).toBe('basic')
  await expect(setPlan(deps, admin, actor.userId, {})).rejects.toMatchObject({ code: 'request.invalid' })
})

test('a mistyped account id creates no subscription', async () => {
  const admin = someUser({ role: 'admin' })
  const withoutEmail = { ...deps, findEmailState: async () => undefined }
  await expect(setPlan(withoutEmail, admin, randomUUIDv7(), { tier: 'pro' })).rejects.toMatchObject({
    code: 'subscription.not_found',
  })
})
