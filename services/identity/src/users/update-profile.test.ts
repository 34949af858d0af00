import { afterAll, expect, test } from 'vitest'
import { testIdentity } from '../../test/identity.fixture.ts'
import { findUser } from './user-queries.ts'
import { updateProfile } from './update-profile.ts'

const { db, deps, newPerson, eventsOf, close } = await testIdentity()
afterAll(close)

test('a change is saved and published with before and after, and the version stays', async () => {
  const { actor } = await newPerson()
  const { user } = await updateProfile(deps, actor, { first_name: ' Ada ', mobile: '+1 555 0100', reminder_time: 17 })
  expect(user).toMatchObject({
    first_name: 'Ada',
    last_name: 'Hopper',
    reminder_time: 17,
    subscription_tier: actor.tier,
  })
  expect((await findUser(db, actor.userId))?.version).toBe(1)
  expect((await eventsOf(actor.userId)).at(-1)).toMatchObject({
    type: 'identity.profile-changed.v1',
    data: {
      user_id: actor.userId,
      before: { first_name: 'Grace', reminder_time: 9 },
      after: { first_name: 'Ada', reminder_time: 17 },
    },
  })
})

test('an update without changes publishes no event', async () => {
  const { actor } = await newPerson()
  const before = (await eventsOf(actor.userId)).length
  await updateProfile(deps, actor, { first_name: 'Grace' })
  expect(await eventsOf(actor.userId)).toHaveLength(before)
})

test('an empty text clears a field, and a long one is stored', async () => {
  const { actor } = await newPerson()
  const mobile = '1'.repeat(500)
  const { user } = await updateProfile(deps, actor, { first_name: '', last_name: '  ', mobile })
  expect(user).toMatchObject({ first_name: '', last_name: '', mobile })
})
