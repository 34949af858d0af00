import type { UserActor } from '@tapeline/contracts/actor'
import { USER_CODE_LETTERS } from '@tapeline/contracts/identity/device-logins'
import { afterAll, expect, test } from 'vitest'
import { testIdentity } from '../../test/identity.fixture.ts'
import { runInOrder } from '../../test/password-queue.fixture.ts'
import { changePassword } from '../passwords/change-password.ts'
import { makeResetLink } from '../passwords/make-reset-link.ts'
import { resetPassword } from '../passwords/reset-password.ts'
import { GOOD_PASSWORD } from '../../test/deps.fixture.ts'
import { listSessions } from '../sessions/list-sessions.ts'
import { refreshSession } from '../sessions/refresh-session.ts'
import { logOut } from '../sessions/log-out.ts'
import { revokeOtherSessions } from '../sessions/revoke-other-sessions.ts'
import { revokeSession } from '../sessions/revoke-session.ts'
import { countOpenSessions } from '../sessions/session-queries.ts'
import { decideDeviceLogin, showDeviceLogin } from './decide-device-login.ts'
import { deleteOldDeviceLogins } from './delete-old-device-logins.ts'
import { finishDeviceLogin } from './finish-device-login.ts'
import { startDeviceLogin } from './start-device-login.ts'

const { db, deps, clock, anonymous, newPerson, signIn, eventsOf, close } = await testIdentity()
afterAll(close)
const MINUTE_MS = 60_000
const device = { ...anonymous, userAgent: 'tapeline-cli (Linux)', network: '198.51.100.0/24' }

const start = () => startDeviceLogin(deps, device, { client_name: 'Tapeline on laptop' })
const finish = (device_code: string) => finishDeviceLogin(deps, device, { device_code })

test('an approved device signs in once, as the user who approved it', async () => {
  const { actor, email } = await newPerson()
  const { device_code, user_code, verification_uri_complete } = await start()
  expect(verification_uri_complete).toBe(`https://tapeline.test/dashboard/device?code=${user_code}`)
  await expect(finish(device_code)).rejects.toMatchObject({
    code: 'device_login.pending',
    headers: { 'retry-after': '5' },
  })
  expect(await showDeviceLogin(deps, user_code)).toMatchObject({
    client_name: 'Tapeline on laptop',
    network: '198.51.100.0/24',
  })
  await decideDeviceLogin(deps, actor, { userCode: user_code, decision: 'approve' })
  const both = await Promise.allSettled([finish(device_code), finish(device_code)])
  const [signedIn, again] = both.map((one) => (one.status === 'fulfilled' ? one.value : undefined))
  expect(signedIn?.user.email).toBe(email)
  expect(again).toMatchObject({ sessionId: signedIn?.sessionId, refreshToken: signedIn?.refreshToken })
  const { sessions } = await listSessions(deps, actor)
  expect(sessions).toContainEqual(
    expect.objectContaining({
      id: signedIn?.sessionId,
      device: 'Tapeline command line on Linux',
      is_remembered: true,
    }),
  )
  const events = await eventsOf(actor.userId)
  expect(events.map(({ type }) => type)).toEqual([
    'identity.user-signed-up.v1',
    'identity.device-login-approved.v1',
    'identity.user-signed-in.v2',
  ])
  expect(events[1]).toMatchObject({
    actorid: actor.userId,
    data: { client_name: 'Tapeline on laptop', client_network: '198.51.100.0/24' },
  })
})

test('a device whose response was lost receives the same session again, for a minute and until it is used', async () => {
  const approve = async () => {
    const { actor } = await newPerson()
    const { device_code, user_code } = await start()
    await decideDeviceLogin(deps, actor, { userCode: user_code, decision: 'approve' })
    return { actor, device_code, first: await finish(device_code) }
  }
  const lost = await approve()
  clock.nowMs += MINUTE_MS
  const again = await finish(lost.device_code)
  expect(again).toMatchObject({ sessionId: lost.first.sessionId, refreshToken: lost.first.refreshToken })
  expect(await countOpenSessions(db, lost.actor.userId, deps.now())).toBe(2)
  clock.nowMs += 1
  await expect(finish(lost.device_code)).rejects.toMatchObject({ code: 'device_login.expired' })
  const used = await approve()
  await refreshSession(deps, device, { refreshToken: used.first.refreshToken })
  await expect(finish(used.device_code)).rejects.toMatchObject({ code: 'device_login.expired' })
  const ended = await approve()
  await revokeSession(deps, ended.actor, ended.first.sessionId)
  await expect(finish(ended.device_code)).rejects.toMatchObject({ code: 'device_login.expired' })
})

test('a denied device never signs in, and a code is decided once', async () => {
  const { actor } = await newPerson()
  const other = await newPerson()
  const { device_code, user_code } = await start()
  await decideDeviceLogin(deps, actor, { userCode: user_code, decision: 'deny' })
  for (const caller of [actor, other.actor]) {
    const again = decideDeviceLogin(deps, caller, { userCode: user_code, decision: 'approve' })
    await expect(again).rejects.toMatchObject({ code: 'device_login.not_found', status: 404 })
  }
  expect((await eventsOf(actor.userId)).map(({ type }) => type)).toContain('identity.device-login-denied.v1')
  expect((await eventsOf(other.actor.userId)).map(({ type }) => type)).toEqual(['identity.user-signed-up.v1'])
  await expect(finish(device_code)).rejects.toMatchObject({ code: 'device_login.denied' })
  await expect(finish(device_code)).rejects.toMatchObject({ code: 'device_login.expired' })
})

test('codes expire after ten minutes, and the job removes them', async () => {
  const { actor } = await newPerson()
  const { device_code, user_code } = await start()
  clock.nowMs += 10 * MINUTE_MS
  await expect(showDeviceLogin(deps, user_code)).rejects.toMatchObject({ code: 'device_login.not_found' })
  const late = decideDeviceLogin(deps, actor, { userCode: user_code, decision: 'approve' })
  await expect(late).rejects.toMatchObject({ code: 'device_login.not_found' })
  await expect(finish(device_code)).rejects.toMatchObject({ code: 'device_login.expired' })
  await start()
  expect(await deleteOldDeviceLogins(deps)).toBe(1)
  expect(await db.selectFrom('device_login').selectAll().execute()).toHaveLength(1)
})

test('an approval from before a new password does not open a session', async () => {
  const { actor } = await newPerson()
  const { device_code, user_code } = await start()
  await decideDeviceLogin(deps, actor, { userCode: user_code, decision: 'approve' })
  clock.nowMs += MINUTE_MS
  await changePassword(deps, actor, { currentPassword: GOOD_PASSWORD, newPassword: 'Another-fine-battery-7' })
  await expect(finish(device_code)).rejects.toMatchObject({ code: 'device_login.expired' })
})

test('an approved device that signs in during a password reset keeps no session, in either order', async () => {
  for (const isFirst of [true, false]) {
    const { actor } = await newPerson()
    const { device_code, user_code } = await start()
    await decideDeviceLogin(deps, actor, { userCode: user_code, decision: 'approve' })
    const { url } = await makeResetLink(deps, { kind: 'service', service: 'operator' }, actor.userId)
    const token = new URL(url).searchParams.get('token') ?? ''
    const signInOfDevice = () => finish(device_code)
    const reset = () => resetPassword(deps, anonymous, { token, newPassword: 'Another-fine-battery-7' })
    await runInOrder(db, actor.userId, isFirst ? [signInOfDevice, reset] : [reset, signInOfDevice])
    expect(await countOpenSessions(db, actor.userId, deps.now())).toBe(0)
  }
})

type Actors = { approver: UserActor; other: UserActor }
test.each([
  ['is signed out', ({ approver }: Actors) => logOut(deps, approver)],
  ['is revoked', ({ approver, other }: Actors) => revokeSession(deps, other, approver.sessionId ?? '')],
  ['is revoked with all others', ({ other }: Actors) => revokeOtherSessions(deps, other)],
])('an approval ends when the session that approved %s', async (_how, end) => {
  const { actor: approver, email } = await newPerson()
  const other = { ...approver, sessionId: (await signIn(email)).sessionId }
  const { device_code, user_code } = await start()
  await decideDeviceLogin(deps, approver, { userCode: user_code, decision: 'approve' })
  await end({ approver, other })
  await expect(finish(device_code)).rejects.toMatchObject({ code: 'device_login.expired' })
})

test('the end of another session leaves an approval valid', async () => {
  const { actor: approver, email } = await newPerson()
  await signIn(email)
  const { device_code, user_code } = await start()
  await decideDeviceLogin(deps, approver, { userCode: user_code, decision: 'approve' })
  await revokeOtherSessions(deps, approver)
  expect((await finish(device_code)).user.email).toBe(email)
})

test('the secret of the device is not stored, and the short one has no letters that look alike', async () => {
  const { device_code, user_code } = await start()
  const rows = await db.selectFrom('device_login').selectAll().execute()
  expect(JSON.stringify(rows)).not.toContain(device_code)
  expect(user_code).toMatch(new RegExp(`^[${USER_CODE_LETTERS}]{4}-[${USER_CODE_LETTERS}]{4}$`))
  expect(USER_CODE_LETTERS).not.toMatch(/[AEIOUY01]/)
})
