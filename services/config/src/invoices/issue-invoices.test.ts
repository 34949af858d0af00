import type { UserActor } from '@tapeline/contracts/actor'
import { type Event, newEvent } from '@tapeline/contracts/event'
import { statusChanged } from '@tapeline/contracts/identity/events'
import { someUser } from '@tapeline/testing/actors'
import { deliverTwice } from '@tapeline/testing/kafka/deliver-twice'
import { openTestDatabase } from '@tapeline/testing/test-database'
import { sql } from 'kysely'
import { randomUUIDv7 } from 'node:crypto'
import { fixedSettings } from '@tapeline/service/platform-settings'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from '../migrations/all.ts'
import { cancelPlan } from '../subscriptions/cancel-plan.ts'
import { lockOrInsert } from '../subscriptions/lock-or-insert.ts'
import { subscriptions } from '../subscriptions.ts'
import { setSubscription } from '../subscriptions/set-subscription.ts'
import { startTrial } from '../subscriptions/start-trial.ts'
import type { Tables } from '../tables.ts'
import { tierDocuments } from '@tapeline/contracts/config/shipped-tiers'
import { seedTiers, writeTiers } from '../tiers/write-tiers.ts'
import { issueInvoices } from './issue-invoices.ts'
import { nextMonthStart } from './next-month-start.ts'

const { db, drop } = await openTestDatabase<Tables>(migrations)
afterAll(drop)
const clock = { nowMs: 0 }
const deps = {
  db,
  now: () => new Date(clock.nowMs),
  newId: () => randomUUIDv7(),
  raiseVersion: async () => true,
  findEmailState: async () => ({ email_verified: true }),
  countAccounts: async () => ({ accounts: 0, of: 0 }),
  settings: fixedSettings(),
}
const operator = { kind: 'service', service: 'operator' } as const
beforeAll(async () => void (await seedTiers(deps, operator, tierDocuments)))

/** An account whose months begin on the 31st, or on the last day of a shorter month. */
async function newAccount() {
  clock.nowMs = Date.UTC(2026, 0, 31, 9)
  const actor = someUser()
  await db.transaction().execute((trx) => lockOrInsert(trx, actor.userId, deps.now()))
  return actor
}

async function becomes(accountId: string, status: 'active' | 'inactive') {
  const event = newEvent(statusChanged, {
    id: deps.newId(),
    time: deps.now(),
    subject: accountId,
    account: accountId,
    actor: { kind: 'service', service: 'identity' },
    data: {
      user_id: accountId,
      before: { status: status === 'active' ? 'inactive' : 'active' },
      after: { status },
      version: 2,
    },
  })
  await deliverTwice(db, subscriptions(deps), event)
}

async function invoicesOf(accountId: string): Promise<unknown[]> {
  const rows = await db
    .selectFrom('outbox')
    .select('envelope')
    .where('subject', '=', accountId)
    .orderBy('position')
    .execute()
  const events = rows.map(({ envelope }) => envelope as Event<Record<string, unknown>>)
  return events.flatMap(({ type, data }) => {
    if (type !== 'config.invoice-issued.v1') return []
    const { from, to } = data.period as { from: string; to: string }
    return [
      `${String(data.tier)} ${from.slice(0, 10)} ${to.slice(0, 10)} ${String(data.amount)} ${String(data.currency)}`,
    ]
  })
}

test.each([
  ['2026-01-31T09:00Z', '2026-01-31T09:00Z', '2026-02-28T00:00:00.000Z'],
  ['2026-01-31T09:00Z', '2026-02-28T00:00Z', '2026-03-31T00:00:00.000Z'],
  ['2026-01-15T09:00Z', '2026-12-20T00:00Z', '2027-01-15T00:00:00.000Z'],
  ['2026-01-15T09:00Z', '2026-01-14T23:59Z', '2026-01-15T00:00:00.000Z'],
])('of months that begin on the day of %s the next after %s begins at %s', (anchor, after, expected) => {
  expect(nextMonthStart(new Date(anchor), new Date(after)).toISOString()).toBe(expected)
})

test('a paid plan is invoiced once per month from its next month on, including months in which no job ran', async () => {
  const { userId } = await newAccount()
  await setSubscription(deps, operator, { account_id: userId, tier: 'basic' })
  await issueInvoices(deps)
  expect(await invoicesOf(userId)).toEqual([])
  clock.nowMs = Date.UTC(2026, 1, 28)
  await Promise.all([issueInvoices(deps), issueInvoices(deps)])
  await issueInvoices(deps)
  expect(await invoicesOf(userId)).toEqual(['basic 2026-02-28 2026-03-31 29.00 USD'])
  await setSubscription(deps, operator, { account_id: userId, tier: 'pro' })
  clock.nowMs = Date.UTC(2026, 4, 10)
  await issueInvoices(deps)
  expect(await invoicesOf(userId)).toEqual([
    'basic 2026-02-28 2026-03-31 29.00 USD',
    'pro 2026-03-31 2026-04-30 99.00 USD',
    'pro 2026-04-30 2026-05-31 99.00 USD',
  ])
})

test('neither a trial nor a cancelled plan is invoiced; a plan beside a trial is', async () => {
  const trying = await newAccount()
  await startTrial(deps, trying, { tier: 'pro' })
  const paying = await newAccount()
  await setSubscription(deps, operator, { account_id: paying.userId, tier: 'basic' })
  clock.nowMs = Date.UTC(2026, 1, 20)
  await startTrial(deps, paying, { tier: 'pro' })
  const cancelling = await newAccount()
  await setSubscription(deps, operator, { account_id: cancelling.userId, tier: 'basic' })
  await cancelPlan(deps, cancelling, { what: 'plan' })
  clock.nowMs = Date.UTC(2026, 1, 28, 1)
  await issueInvoices(deps)
  expect(await invoicesOf(trying.userId)).toEqual([])
  expect(await invoicesOf(cancelling.userId)).toEqual([])
  expect(await invoicesOf(paying.userId)).toEqual(['basic 2026-02-28 2026-03-31 29.00 USD'])
})

test('an inactive account is not invoiced, and after its return only from its next month on', async () => {
  const { userId } = await newAccount()
  await setSubscription(deps, operator, { account_id: userId, tier: 'basic' })
  clock.nowMs = Date.UTC(2026, 1, 20)
  await becomes(userId, 'inactive')
  clock.nowMs = Date.UTC(2026, 2, 5)
  await issueInvoices(deps)
  await setSubscription(deps, operator, { account_id: userId, tier: 'pro' })
  clock.nowMs = Date.UTC(2026, 3, 10)
  await issueInvoices(deps)
  await becomes(userId, 'active')
  await issueInvoices(deps)
  expect(await invoicesOf(userId)).toEqual([])
  clock.nowMs = Date.UTC(2026, 3, 30)
  await issueInvoices(deps)
  expect(await invoicesOf(userId)).toEqual(['pro 2026-04-30 2026-05-31 99.00 USD'])
})

test('the plan beside a trial is invoiced again after the return of its account', async () => {
  const actor = await newAccount()
  await setSubscription(deps, operator, { account_id: actor.userId, tier: 'basic' })
  clock.nowMs = Date.UTC(2026, 1, 20)
  await startTrial(deps, actor, { tier: 'pro' })
  await becomes(actor.userId, 'inactive')
  clock.nowMs = Date.UTC(2026, 2, 1)
  await becomes(actor.userId, 'active')
  clock.nowMs = Date.UTC(2026, 2, 31)
  await issueInvoices(deps)
  expect(await invoicesOf(actor.userId)).toEqual(['basic 2026-03-31 2026-04-30 29.00 USD'])
})

test('months that began before an account became inactive are invoiced', async () => {
  const { userId } = await newAccount()
  await setSubscription(deps, operator, { account_id: userId, tier: 'basic' })
  clock.nowMs = Date.UTC(2026, 2, 2)
  await becomes(userId, 'inactive')
  clock.nowMs = Date.UTC(2026, 4, 31)
  await issueInvoices(deps)
  expect(await invoicesOf(userId)).toEqual(['basic 2026-02-28 2026-03-31 29.00 USD'])
})

test.each([
  ['cancelled', (actor: UserActor) => cancelPlan(deps, actor, { what: 'plan' }), []],
  [
    'replaced',
    ({ userId }: UserActor) => setSubscription(deps, operator, { account_id: userId, tier: 'pro' }),
    ['pro 2026-04-30 2026-05-31 99.00 USD'],
  ],
] as const)('months that began before a plan was %s are invoiced at its price', async (_how, change, later) => {
  const actor = await newAccount()
  await setSubscription(deps, operator, { account_id: actor.userId, tier: 'basic' })
  clock.nowMs = Date.UTC(2026, 3, 2)
  await change(actor)
  clock.nowMs = Date.UTC(2026, 3, 30)
  await issueInvoices(deps)
  expect(await invoicesOf(actor.userId)).toEqual([
    'basic 2026-02-28 2026-03-31 29.00 USD',
    'basic 2026-03-31 2026-04-30 29.00 USD',
    ...later,
  ])
})

test('an account that cannot be invoiced does not stop the others, and is invoiced later', async () => {
  const [broken, other] = [await newAccount(), await newAccount()]
  for (const { userId } of [broken, other]) {
    await setSubscription(deps, operator, { account_id: userId, tier: 'basic' })
  }
  await sql`alter table invoice add constraint broken check (account_id <> ${sql.lit(broken.userId)})`.execute(db)
  clock.nowMs = Date.UTC(2026, 1, 28)
  await expect(issueInvoices(deps)).rejects.toThrow(`not invoiced: ${broken.userId}`)
  const invoices = ['basic 2026-02-28 2026-03-31 29.00 USD']
  expect([await invoicesOf(broken.userId), await invoicesOf(other.userId)]).toEqual([[], invoices])
  await sql`alter table invoice drop constraint broken`.execute(db)
  await issueInvoices(deps)
  expect(await invoicesOf(broken.userId)).toEqual(invoices)
})

test('a stored price of less than half a cent is not invoiced', async () => {
  const { userId } = await newAccount()
  await setSubscription(deps, operator, { account_id: userId, tier: 'basic' })
  const { basic } = tierDocuments
  const billing = { ...basic.billing, monthlyPrice: 0.004, yearlyPrice: 0, yearlyDiscount: 100 }
  const stored = JSON.stringify({ ...tierDocuments, basic: { ...basic, billing } })
  await db
    .insertInto('tier_document')
    .values({ version: 2, config: stored, written_by: 'admin', created_at: deps.now(), reason: null })
    .execute()
  clock.nowMs = Date.UTC(2026, 2, 31)
  await issueInvoices(deps)
  expect(await invoicesOf(userId)).toEqual([])
  await writeTiers(deps, operator, { documentsAfter: () => tierDocuments })
})
