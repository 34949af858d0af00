import { notificationRaised, notificationRaisedInEnglish } from '@tapeline/contracts/audit/events'
import { type Event, newEvent } from '@tapeline/contracts/event'
import { deliverTwice } from '@tapeline/testing/kafka/deliver-twice'
import { afterAll, expect, test } from 'vitest'
import { testIdentity } from '../../test/identity.fixture.ts'
import { subscriptions } from '../subscriptions.ts'
import { noticeFault } from './notice-fault.ts'
import { USED_UP } from '../../test/notices.fixture.ts'

const { db, deps, newPerson, close } = await testIdentity()
afterAll(close)

const EN = { title: 'in English', text: 'as in the feed' }
const { kind } = USED_UP
const envelope = (userId: string) => ({
  id: deps.newId(),
  time: deps.now(),
  subject: userId,
  account: userId,
  actor: { kind: 'service', service: 'audit' } as const,
})
const ids = (account_id: string, notification_id = deps.newId()) => ({ notification_id, account_id })
const deliver = (event: Event<{ account_id: string }>) => deliverTwice(db, subscriptions(deps), event)

test('a notification is stored with its data; the English-only version of the event is stored, too', async () => {
  const { userId } = (await newPerson()).actor
  const [old, now] = [ids(userId), ids(userId)]
  await deliver(newEvent(notificationRaisedInEnglish, { ...envelope(userId), data: { ...old, ...EN, kind } }))
  await deliver(newEvent(notificationRaised, { ...envelope(userId), data: { ...now, ...EN, ...USED_UP } }))
  const rows = await db
    .selectFrom('notice')
    .select(['id', 'kind', 'title', 'text', 'data'])
    .where('user_id', '=', userId)
    .execute()
  expect(rows).toHaveLength(2)
  expect(rows).toContainEqual({ ...EN, id: old.notification_id, kind, data: null })
  expect(rows).toContainEqual({ ...EN, ...USED_UP, id: now.notification_id })
})

test('an event with an invalid account is dead-lettered', () => {
  const faultOf = (account: string, notification?: string) =>
    noticeFault(
      newEvent(notificationRaised, {
        ...envelope(account),
        data: { ...ids(account, notification), ...EN, ...USED_UP },
      }),
    )
  const user = crypto.randomUUID()
  expect(faultOf(user)).toBeUndefined()
  expect(faultOf('no-uuid')).toBe('account_id is not a UUID')
  expect(faultOf(user, 'one')).toBe('notification_id is not a UUID')
})
