import { sessionEnded } from '@tapeline/contracts/identity/events'
import { Value } from 'typebox/value'
import { afterAll, expect, test } from 'vitest'
import { testIdentity } from '../../test/identity.fixture.ts'
import { listSessions } from './list-sessions.ts'
import { refreshSession } from './refresh-session.ts'
import { revokeOtherSessions } from './revoke-other-sessions.ts'
import { revokeSession } from './revoke-session.ts'

const { deps, clock, newPerson, signIn, eventsOf, close } = await testIdentity()
afterAll(close)
const HOUR_MS = 3_600_000

test('a user sees their sessions, the current one first', async () => {
  const { email, actor } = await newPerson()
  clock.nowMs += 1_000
  const other = await signIn(email)
  const network = '198.51.100.0/24'
  await refreshSession(deps, { kind: 'anonymous', network }, { refreshToken: other.refreshToken })
  const { sessions } = await listSessions(deps, actor)
  expect(sessions).toMatchObject([
    { id: actor.sessionId, is_current: true, device: 'curl', network: '203.0.113.0/24' },
    { id: other.sessionId, is_current: false, device: 'curl', network },
  ])
})

test('an ended or expired session is not shown', async () => {
  const { email, actor } = await newPerson()
  const other = await signIn(email)
  expect(await revokeSession(deps, actor, other.sessionId)).toEqual({ ended: 1 })
  expect((await listSessions(deps, actor)).sessions.map(({ id }) => id)).toEqual([actor.sessionId])
  clock.nowMs += 12 * HOUR_MS
  expect((await listSessions(deps, actor)).sessions).toEqual([])
})

test("another user's session is the same 404 as one that does not exist", async () => {
  const [one, other] = [await newPerson(), await newPerson()]
  const missing = { code: 'session.not_found', status: 404 }
  await expect(revokeSession(deps, one.actor, other.actor.sessionId ?? '')).rejects.toMatchObject(missing)
  await expect(revokeSession(deps, one.actor, crypto.randomUUID())).rejects.toMatchObject(missing)
  expect((await listSessions(deps, other.actor)).sessions).toHaveLength(1)
})

test('signing out everywhere else keeps this session and publishes the end of each other one', async () => {
  const { email, actor, refreshToken } = await newPerson()
  const others = [await signIn(email), await signIn(email)].map(({ sessionId }) => sessionId)
  expect(await revokeOtherSessions(deps, actor)).toEqual({ ended: 2 })
  expect(await revokeOtherSessions(deps, actor)).toEqual({ ended: 0 })
  expect((await refreshSession(deps, { kind: 'anonymous' }, { refreshToken })).sessionId).toBe(actor.sessionId)
  const ended = (await eventsOf(actor.userId)).filter(({ type }) => type === 'identity.session-ended.v1')
  expect(ended.map(({ data }) => Value.Parse(sessionEnded.data, data).session_id).toSorted()).toEqual(others.toSorted())
})
