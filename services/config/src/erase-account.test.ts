import { newEvent } from '@tapeline/contracts/event'
import { accountDeleted } from '@tapeline/contracts/identity/events'
import { deliverTwice } from '@tapeline/testing/kafka/deliver-twice'
import { storeDeadLetter, storedDeadLetters } from '@tapeline/testing/kafka/stored-dead-letters'
import { randomUUIDv7 } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '../test/app.fixture.ts'
import { subscriptions } from './subscriptions.ts'
import { readSubscription } from './subscriptions/read-subscription.ts'

const { db, deps, close } = await openTestApp()
afterAll(close)

async function newAccount(): Promise<string> {
  const accountId = randomUUIDv7()
  await readSubscription(deps, accountId)
  await db
    .insertInto('trial')
    .values({ account_id: accountId, tier: 'pro', started_at: deps.now(), ends_at: deps.now() })
    .execute()
  await db
    .insertInto('user_settings')
    .values({ account_id: accountId, version: 1, settings: '{"language":"fr"}', saved_at: deps.now() })
    .execute()
  return accountId
}

async function countRowsOf(accountId: string): Promise<number[]> {
  const tables = ['subscription', 'trial', 'user_settings'] as const
  return Promise.all(
    tables.map(
      async (table) => (await db.selectFrom(table).selectAll().where('account_id', '=', accountId).execute()).length,
    ),
  )
}

const deletionOf = (accountId: string) =>
  newEvent(accountDeleted, {
    id: deps.newId(),
    time: deps.now(),
    subject: accountId,
    account: accountId,
    actor: { kind: 'service', service: 'identity' },
    data: { user_id: accountId, version: 3 },
  })

test("the plan, trial, settings and dead letters of a deleted account are deleted, and no other account's", async () => {
  const [deleted, other] = [await newAccount(), await newAccount()]
  const event = deletionOf(deleted)
  const lettersOfOther = deletionOf(other)
  await storeDeadLetter(db, { ...event, id: deps.newId() })
  await storeDeadLetter(db, lettersOfOther)
  await deliverTwice(db, subscriptions(deps), event)
  expect(await storedDeadLetters(db)).toEqual([JSON.stringify(lettersOfOther)])
  expect(await countRowsOf(deleted)).toEqual([0, 0, 0])
  expect(await countRowsOf(other)).toEqual([1, 1, 1])
})
