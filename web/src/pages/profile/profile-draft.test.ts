import { expect, test } from 'vitest'
import { parseStoredUser } from '../../session/present-user.ts'
import { draftOf, hasNewEmail, REMINDER_HOURS, updateOf } from './profile-draft.ts'

const ada = parseStoredUser(
  JSON.stringify({ id: '1', email: 'ada@example.com', firstName: 'Ada', mobile: '+44', reminderEnabled: true }),
)
if (ada === undefined) throw new Error('no user')

test('only changed fields are sent, and nothing is sent without changes', () => {
  expect(updateOf(ada, draftOf(ada))).toBeUndefined()
  expect(updateOf(ada, { ...draftOf(ada), lastName: 'Lovelace' })).toEqual({ last_name: 'Lovelace' })
  const draft = { ...draftOf(ada), firstName: 'A', mobile: '+1', reminderEnabled: false, reminderTime: 0 }
  expect(updateOf(ada, { ...draft, reminderMethod: 'push' })).toEqual({
    first_name: 'A',
    mobile: '+1',
    reminder_enabled: false,
    reminder_time: 0,
    reminder_method: 'push',
  })
})

test('the e-mail is never sent with the profile', () => {
  const draft = { ...draftOf(ada), email: 'new@example.com' }
  expect([updateOf(ada, draft), hasNewEmail(ada, draft)]).toEqual([undefined, true])
  expect([
    hasNewEmail(ada, { ...draft, email: ' ada@example.com ' }),
    hasNewEmail(ada, { ...draft, email: '' }),
  ]).toEqual([false, false])
})

test('a reminder can be at any hour', () => {
  expect([REMINDER_HOURS.length, REMINDER_HOURS[0]?.label, REMINDER_HOURS[23]?.label]).toEqual([24, '00:00', '23:00'])
})
