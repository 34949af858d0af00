import type { UserActor } from '@tapeline/contracts/actor'
import { apiKeyCreated, apiKeyRevoked } from '@tapeline/contracts/api-key/events'
import { type Event, newEvent } from '@tapeline/contracts/event'
import { accountDeleted, profileChanged } from '@tapeline/contracts/identity/events'
import { someUser } from '@tapeline/testing/actors'
import { deliverTwice } from '@tapeline/testing/kafka/deliver-twice'
import { storeDeadLetter, storedDeadLetters } from '@tapeline/testing/kafka/stored-dead-letters'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../../test/app.fixture.ts'
import { streamEvent, usageEvent } from '@tapeline/testing/usage/usage-event'
import { recordStreams } from '../live-streams/record-streams.ts'
import { domainSubscriptions } from '../subscriptions.ts'
import { verifyTrail } from '../trail/verify-trail.ts'
import { verifyUsage } from '../reconciliation/verify-usage.ts'
import { whileAlone } from '../run-lock-queries.ts'
import { eraseAccounts } from './erase-accounts.ts'

const { db, deps, clock, ago, record, close } = await openTestApp('2026-03-10T12:34:56.789Z')
afterAll(close)

const DAY_MS = 86_400_000
const TRACES = /Unforgettable|203\.0\.113/
const deliver = (event: Event<unknown>) => deliverTwice(db, domainSubscriptions(deps), event)
const about = (actor: UserActor, minutes: number) => ({
  id: deps.newId(),
  time: ago(minutes),
  subject: actor.userId,
  account: actor.userId,
  actor,
  network: '203.0.113.0/24',
})
const keyFact = ({ userId }: UserActor) => ({
  key_id: 'key-1',
  kid: 'k1',
  account_id: userId,
  name: 'Unforgettable',
  version: 1,
})

async function live(): Promise<UserActor> {
  const actor = someUser()
  const names = { before: { first_name: 'Ada' }, after: { first_name: 'Unforgettable' } }
  await deliver(newEvent(profileChanged, { ...about(actor, 5), data: { user_id: actor.userId, ...names } }))
  await deliver(newEvent(apiKeyCreated, { ...about(actor, 4), data: keyFact(actor) }))
  await record(
    ...[3, 2, 1].map((minutes) =>
      usageEvent({ account_id: actor.userId, network: `203.0.113.${minutes}/32`, at: ago(minutes) }),
    ),
  )
  await db
    .insertInto('custom_report')
    .values({
      id: deps.newId(),
      account_id: actor.userId,
      name: 'Unforgettable',
      api_key_id: null,
      status: null,
      route: null,
      breakdown: 'day',
      format: 'csv',
      weekday: 1,
      hour: 8,
      active: false,
      next_at: null,
      last_made_at: null,
      created_at: ago(1).toISOString(),
    })
    .execute()
  const streams = [streamEvent({ account_id: actor.userId, network: '203.0.113.9/32', at: ago(1) })]
  await db.transaction().execute((trx) => recordStreams(deps, trx, streams))
  await storeDeadLetter(db, newEvent(apiKeyCreated, { ...about(actor, 4), data: keyFact(actor) }))
  return actor
}

const end = (actor: UserActor) => {
  const data = { user_id: actor.userId, version: 3 }
  return deliver(
    newEvent(accountDeleted, { ...about(actor, 0), actor: { kind: 'service', service: 'identity' }, data }),
  )
}

/** Tables that contain data of the account. */
const TABLES = [
  'audit_trail',
  'logged_request',
  'usage_stream',
  'usage_network',
  'usage_network_day',
  'notification',
  'known_key',
  'custom_report',
] as const

async function rowsOf({ userId }: UserActor, table: (typeof TABLES)[number]): Promise<string> {
  const { rows } = await sql`select * from ${sql.table(table)} where account_id = ${userId}::uuid`.execute(db)
  return JSON.stringify(rows)
}

/** The rows of all tables that contain data of the account, as text. */
async function everythingOf(actor: UserActor): Promise<string> {
  const found = await Promise.all(TABLES.map((table) => rowsOf(actor, table)))
  const stream = await sql`select * from stream_event where scope = ${actor.userId}`.execute(db)
  const letters = (await storedDeadLetters(db)).filter((letter) => letter.includes(actor.userId))
  return JSON.stringify([...found, stream.rows, letters])
}

test('no personal data of a deleted account remains, and trail and sums are still valid', async () => {
  const [erased, other] = [await live(), await live()]
  expect(await everythingOf(erased)).toMatch(TRACES)
  await end(erased)
  expect(await eraseAccounts(deps)).toBe(1)
  await eraseAccounts(deps)
  expect(await everythingOf(erased)).not.toMatch(TRACES)
  expect(await everythingOf(other)).toMatch(TRACES)
  expect(await verifyTrail(db, null)).toMatchObject({ isRight: true, chains: 2 })
  expect(await verifyUsage(db, erased.userId)).toMatchObject({ isRight: true, rows: 3 })
  const types = await db.selectFrom('audit_trail').select('type').where('scope', '=', erased.userId).execute()
  expect(types.map(({ type }) => type)).toContain('identity.account-deleted.v1')
})

test('events that arrive after the deletion are erased as well, for a day', async () => {
  const erased = await live()
  await end(erased)
  await eraseAccounts(deps)
  await deliver(newEvent(apiKeyRevoked, { ...about(erased, 0), data: keyFact(erased) }))
  expect(await everythingOf(erased)).toMatch(TRACES)
  await eraseAccounts(deps)
  expect(await everythingOf(erased)).not.toMatch(TRACES)
  clock.nowMs += DAY_MS
  await eraseAccounts(deps)
  expect(await eraseAccounts(deps)).toBe(0)
})

test('accounts that wait to be settled do not keep further pages from being erased', async () => {
  const PAGE = 3
  const many: UserActor[] = []
  for (let erased = 0; erased < 2 * PAGE + 1; erased += 1) {
    const actor = await live()
    await end(actor)
    many.push(actor)
  }
  expect(await eraseAccounts(deps, { pageAccounts: PAGE })).toBe(many.length)
  for (const actor of many) expect(await everythingOf(actor)).not.toMatch(TRACES)
})

test('rows that arrive after the deletion are erased, those of earlier days with the last pass', async () => {
  const erased = await live()
  await end(erased)
  await eraseAccounts(deps)
  const late = (minutes: number) =>
    record(usageEvent({ account_id: erased.userId, network: '203.0.113.8/32', at: ago(minutes) }))
  await late(5)
  await eraseAccounts(deps)
  expect(await everythingOf(erased)).not.toMatch(TRACES)
  await late(6 * 24 * 60)
  clock.nowMs += DAY_MS
  await eraseAccounts(deps)
  expect(await everythingOf(erased)).not.toMatch(TRACES)
  expect(await eraseAccounts(deps)).toBe(0)
  expect(await db.selectFrom('erasure_pass').selectAll().execute()).toEqual([])
})

const FAILING = [
  ['audit_trail', 'audit_trail'],
  ['known_key', 'known_key'],
  ['request_log', 'logged_request'],
  ['usage_stream', 'usage_stream'],
  ['usage_network', 'usage_network'],
] as const

test.each(FAILING)(
  'while rows of %s cannot be changed, all others are erased, and then these too',
  async (name, table) => {
    const erased = await live()
    await end(erased)
    await sql`
    create or replace function refuse_erasure() returns trigger language plpgsql as $$
    begin raise exception 'no space left'; end $$`.execute(db)
    await sql`create trigger refuse before update or delete on ${sql.table(name)} for each row
    execute function refuse_erasure()`.execute(db)
    await expect(eraseAccounts(deps)).rejects.toThrow('1 accounts were not erased completely: no space left')
    const remaining = await Promise.all(
      TABLES.map(async (one) => (TRACES.test(await rowsOf(erased, one)) ? [one] : [])),
    )
    expect(remaining.flat()).toEqual([table])
    expect((await storedDeadLetters(db)).filter((letter) => letter.includes(erased.userId))).toEqual([])
    await sql`drop trigger refuse on ${sql.table(name)}`.execute(db)
    await eraseAccounts(deps)
    expect(await everythingOf(erased)).not.toMatch(TRACES)
  },
)

test('no statement changes more rows than a batch, also of requests at the same time', async () => {
  const BATCH = 3
  const erased = await live()
  const at = ago(30)
  const numbers = Array.from({ length: 3 * BATCH + 1 }, (_, n) => n)
  await record(...numbers.map((n) => usageEvent({ account_id: erased.userId, network: `203.0.113.${20 + n}/32`, at })))
  await end(erased)
  const changes = [
    ['request_log', 'update', 'new'],
    ['usage_network', 'delete', 'old'],
    ['usage_network_day', 'delete', 'old'],
  ] as const
  await sql`create table changed (name text, rows integer)`.execute(db)
  await sql`
    create function note_changed() returns trigger language plpgsql as $$
    begin insert into changed select tg_table_name, count(*) from rows; return null; end $$`.execute(db)
  for (const [table, event, rows] of changes) {
    await sql`create trigger note after ${sql.raw(event)} on ${sql.table(table)} referencing ${sql.raw(rows)} table as rows
      for each statement execute function note_changed()`.execute(db)
  }
  await eraseAccounts(deps, { batchRows: BATCH })
  expect(await everythingOf(erased)).not.toMatch(TRACES)
  const { rows } = await sql`
    select name, max(rows) as most, sum(rows)::int as all from changed where rows > 0 group by 1 order by 1`.execute(db)
  const all = numbers.length + 3
  expect(rows).toEqual(changes.map(([name]) => ({ name, most: BATCH, all })))
  expect(await verifyUsage(db, erased.userId)).toMatchObject({ isRight: true, rows: all })
  for (const [table] of changes) await sql`drop trigger note on ${sql.table(table)}`.execute(db)
})

test('while another process erases, a run does nothing', async () => {
  const erased = await live()
  await end(erased)
  expect(await whileAlone(db, 'account erasure run', () => eraseAccounts(deps))).toBe(0)
  expect(await everythingOf(erased)).toMatch(TRACES)
  await eraseAccounts(deps)
  expect(await everythingOf(erased)).not.toMatch(TRACES)
})

test('only the erasure can change the trail, and it cannot remove entries', async () => {
  const { userId } = await live()
  const change = sql`update audit_trail set details = '{}' where scope = ${userId}`
  await expect(change.execute(db)).rejects.toThrow('append-only')
  const removal = db.transaction().execute(async (trx) => {
    await sql`set local tapeline.erasing = 'on'`.execute(trx)
    await sql`delete from audit_trail where scope = ${userId}`.execute(trx)
  })
  await expect(removal).rejects.toThrow('append-only')
})
