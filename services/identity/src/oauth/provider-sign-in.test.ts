import { afterAll, expect, test } from 'vitest'
import { GOOD_PASSWORD, someSignUp } from '../../test/deps.fixture.ts'
import { listSessions } from '../sessions/list-sessions.ts'
import { signUp } from '../users/sign-up.ts'
import { confirmLink } from './confirm-link.ts'
import { deleteOldFlows } from './delete-old-flows.ts'
import { decryptToken } from '../grants/store-token.ts'
import { testOauth, someEmail } from '../../test/oauth.fixture.ts'
import { startProviderSignIn } from './start-provider-sign-in.ts'

const {
  db,
  deps,
  clock,
  anonymous,
  newPerson,
  provenPerson,
  verify,
  eventsOf,
  mailsTo,
  visitProvider,
  signInByProvider,
  connectWithPassword,
  finish,
  provider,
  close,
} = await testOauth()
afterAll(close)

const identitiesOf = (userId: string) =>
  db.selectFrom('provider_identity').selectAll().where('user_id', '=', userId).execute()

test('a new user gets an account with a verified address and no password, and later signs in to the same one', async () => {
  const email = someEmail()
  const first = await signInByProvider({ email, given_name: 'Olga\r\nBcc: x', family_name: 'Auth' })
  expect(first.isNewUser).toBe(true)
  expect(first.signedIn.user).toMatchObject({ email, first_name: 'Olga  Bcc: x', email_verified: true, role: 'user' })
  const again = await signInByProvider({ email })
  expect(again).toMatchObject({ isNewUser: false, signedIn: { user: { id: first.signedIn.user.id } } })
  const types = (await eventsOf(first.signedIn.user.id)).map(({ type }) => type)
  expect(types).toEqual(['identity.user-signed-up.v1', 'identity.provider-linked.v1', 'identity.user-signed-in.v2'])
})

test('of two concurrent first sign-ins one creates the account and the other finds it', async () => {
  const email = someEmail()
  const [one, other] = await Promise.all([visitProvider({ email }), visitProvider({ email })])
  const entries = await Promise.all([finish(one), finish(other)])
  expect(entries.filter(({ isNewUser }) => isNewUser)).toHaveLength(1)
  expect(new Set(entries.map(({ signedIn }) => signedIn.user.id)).size).toBe(1)
})

test('an address verified by both sides is linked', async () => {
  const { email, actor } = await newPerson()
  await verify(actor.userId)
  const { isNewUser, signedIn } = await signInByProvider({ email: email.toUpperCase() })
  expect({ isNewUser, id: signedIn.user.id }).toEqual({ isNewUser: false, id: actor.userId })
  expect((await mailsTo(email)).map(({ kind }) => kind)).toContain('provider-linked')
})

test.each([
  ['here', { isVerifiedHere: false, verified: true }],
  ['at the provider', { isVerifiedHere: true, verified: false }],
])('an address that is not verified %s is linked only with the password', async (_, { isVerifiedHere, verified }) => {
  const { password, ...person } = someSignUp()
  const { user } = await signUp(deps, anonymous, { ...person, password })
  if (isVerifiedHere) await verify(user.id)
  const { state, binding, code } = await visitProvider({ email: user.email, verified })
  await expect(finish({ code, state, binding })).rejects.toMatchObject({ code: 'oauth.password_needed' })
  expect(await identitiesOf(user.id)).toEqual([])
  const confirm = (credentials: object) => confirmLink(deps, anonymous, { state, binding, password, ...credentials })
  await expect(confirm({ password: 'wrong' })).rejects.toMatchObject({ code: 'password.wrong', status: 403 })
  const elsewhere = (await startProviderSignIn(deps, anonymous)).binding
  await expect(confirm({ binding: elsewhere })).rejects.toMatchObject({ code: 'oauth.state_invalid' })
  expect(await identitiesOf(user.id)).toEqual([])
  const { signedIn, isNewUser } = await confirm({})
  expect({ isNewUser, id: signedIn.user.id }).toEqual({ isNewUser: false, id: user.id })
  await expect(confirm({})).rejects.toMatchObject({ code: 'oauth.state_invalid' })
  expect((await signInByProvider({ email: user.email, verified })).signedIn.user.id).toBe(user.id)
})

test('of two concurrent confirmations one links, the other finds the request used', async () => {
  const { email, actor } = await newPerson()
  const { state, binding, code } = await visitProvider({ email })
  await expect(finish({ code, state, binding })).rejects.toMatchObject({ code: 'oauth.password_needed' })
  const confirm = () => confirmLink(deps, anonymous, { state, binding, password: GOOD_PASSWORD })
  const results = await Promise.allSettled([confirm(), confirm()])
  const refusals = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  expect(refusals).toMatchObject([{ code: 'oauth.state_invalid', status: expect.any(Number) }])
  expect(await identitiesOf(actor.userId)).toHaveLength(1)
  const [succeeded] = results.flatMap((result) =>
    result.status === 'fulfilled' ? [result.value.signedIn.sessionId] : [],
  )
  const { sessions } = await listSessions(deps, actor)
  expect(new Set(sessions.map(({ id }) => id))).toEqual(new Set([actor.sessionId, succeeded]))
})

test('the response does not reveal an account with an unverified address, and there are five attempts', async () => {
  const email = someEmail()
  const { state, binding, code } = await visitProvider({ email, verified: false })
  const refusal = await finish({ code, state, binding }).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'oauth.password_needed' })
  const guess = () => confirmLink(deps, anonymous, { state, binding, password: 'a guess' })
  for (let tried = 0; tried < 5; tried += 1) await expect(guess()).rejects.toMatchObject({ code: 'password.wrong' })
  await expect(guess()).rejects.toMatchObject({ code: 'oauth.state_invalid' })
})

test('an inactive account cannot sign in', async () => {
  const email = someEmail()
  const { id } = (await signInByProvider({ email })).signedIn.user
  await db.updateTable('user_account').set({ status: 'inactive' }).where('id', '=', id).execute()
  await expect(signInByProvider({ email })).rejects.toMatchObject({ code: 'account.inactive' })
})

test('signing in restores an account that awaits deletion', async () => {
  const email = someEmail()
  const { id } = (await signInByProvider({ email })).signedIn.user
  const pending = { status: 'inactive' as const, deletion_due_at: new Date(clock.nowMs + 60_000), can_return: true }
  await db.updateTable('user_account').set(pending).where('id', '=', id).execute()
  expect((await signInByProvider({ email })).signedIn.user).toMatchObject({ id, status: 'active' })
  expect((await eventsOf(id)).map(({ type }) => type)).toContain('identity.account-deletion-cancelled.v1')
})

test('a signed-in user can link an identity; a new session replaces the calling one', async () => {
  const { actor, email } = await provenPerson()
  const { signedIn } = await signInByProvider({ email: email.toUpperCase() }, actor)
  expect(signedIn.user.id).toBe(actor.userId)
  const { sessions } = await listSessions(deps, actor)
  expect(sessions.map(({ id }) => id)).toEqual([signedIn.sessionId])
})

test.each([
  ['another address', { isOwn: false, isVerifiedHere: true, verified: true }],
  ['an address not verified here', { isOwn: true, isVerifiedHere: false, verified: true }],
  ['an address not verified at the provider', { isOwn: true, isVerifiedHere: true, verified: false }],
])('a session is not sufficient to link %s: it requires the password of the account', async (_, credentials) => {
  const { actor, email } = await (credentials.isVerifiedHere ? provenPerson() : newPerson())
  const choice = { email: credentials.isOwn ? email : someEmail(), verified: credentials.verified }
  const { state, binding, code } = await visitProvider(choice, actor)
  await expect(finish({ code, state, binding })).rejects.toMatchObject({ code: 'oauth.password_needed', status: 409 })
  const confirm = (password: string) => confirmLink(deps, anonymous, { state, binding, password })
  await expect(confirm('wrong')).rejects.toMatchObject({ code: 'password.wrong', status: 403 })
  expect(await identitiesOf(actor.userId)).toEqual([])
  expect((await listSessions(deps, actor)).sessions.map(({ id }) => id)).toEqual([actor.sessionId])
  const { signedIn } = await confirm(GOOD_PASSWORD)
  expect(signedIn.user.id).toBe(actor.userId)
  expect((await listSessions(deps, actor)).sessions.map(({ id }) => id)).toEqual([signedIn.sessionId])
  expect((await signInByProvider(choice)).signedIn.user.id).toBe(actor.userId)
})

test('the password of the account with the provider’s address does not link the calling account', async () => {
  const { actor } = await provenPerson()
  const { password, ...person } = someSignUp()
  const other = `${password}-other`
  const { user } = await signUp(deps, anonymous, { ...person, password: other })
  const { state, binding, code } = await visitProvider({ email: user.email }, actor)
  await expect(finish({ code, state, binding })).rejects.toMatchObject({ code: 'oauth.password_needed' })
  const refusal = { code: 'password.wrong' }
  await expect(confirmLink(deps, anonymous, { state, binding, password: other })).rejects.toMatchObject(refusal)
  await db.updateTable('session').set({ ended_at: deps.now(), end_reason: 'signed_out' }).execute()
  const late = confirmLink(deps, anonymous, { state, binding, password: GOOD_PASSWORD })
  await expect(late).rejects.toMatchObject({ code: 'oauth.state_invalid' })
  expect([await identitiesOf(actor.userId), await identitiesOf(user.id)]).toEqual([[], []])
})

test('a refresh token is not replaced by a short-lived one', async () => {
  const email = someEmail()
  const signInWith = async (refresh_token?: string) => {
    provider.tamper((answer) => {
      delete answer.refresh_token
      return refresh_token === undefined ? answer : { ...answer, refresh_token }
    })
    const { id } = (await signInByProvider({ email })).signedIn.user
    provider.tamper(undefined)
    const [identity] = await identitiesOf(id)
    return identity && decryptToken(deps, identity)
  }
  const [first, second] = [await signInWith(), await signInWith()]
  expect(second).not.toBe(first)
  expect([await signInWith('lasting'), await signInWith(), await signInWith('newer')]).toEqual([
    'lasting',
    'lasting',
    'newer',
  ])
})

test('an identity is linked to at most one account, and an account to at most one Google identity', async () => {
  const email = someEmail()
  await signInByProvider({ email })
  const { actor } = await newPerson()
  await expect(signInByProvider({ email }, actor)).rejects.toMatchObject({ code: 'oauth.linked_elsewhere' })
  const { signedIn } = await connectWithPassword({ email: someEmail() }, actor)
  const now = { ...actor, sessionId: signedIn.sessionId }
  await expect(signInByProvider({ email: someEmail() }, now)).rejects.toMatchObject({ code: 'oauth.already_connected' })
})

test('a session that has ended links nothing', async () => {
  const { actor } = await newPerson()
  const back = await visitProvider({ email: someEmail() }, actor)
  await db.updateTable('session').set({ ended_at: deps.now(), end_reason: 'signed_out' }).execute()
  await expect(finish(back)).rejects.toMatchObject({ code: 'oauth.state_invalid' })
  expect(await identitiesOf(actor.userId)).toEqual([])
})

test('a state expires after ten minutes, and the job deletes it', async () => {
  const back = await visitProvider({ email: someEmail() })
  clock.nowMs += 601_000
  await expect(finish(back)).rejects.toMatchObject({ code: 'oauth.state_invalid' })
  expect(await deleteOldFlows(deps)).toBeGreaterThan(0)
  expect(await deleteOldFlows(deps)).toBe(0)
})

test('an unavailable provider is reported, and its cached metadata is used when it is back', async () => {
  const back = await visitProvider({ email: someEmail() })
  provider.setUnavailable(true)
  await expect(finish(back)).rejects.toMatchObject({ code: 'oauth.provider_away', status: 503 })
  provider.setUnavailable(false)
  expect((await signInByProvider({ email: someEmail() })).isNewUser).toBe(true)
})

test('neither token, nonce nor verifier is readable in the database', async () => {
  const { authUrl, binding } = await startProviderSignIn(deps, anonymous)
  const { state, nonce } = Object.fromEntries(new URL(authUrl).searchParams)
  const stored = [
    await db.selectFrom('provider_flow').selectAll().execute(),
    await db.selectFrom('provider_identity').selectAll().execute(),
  ].flatMap((rows) => rows.flatMap((row) => Object.values(row).map((value) => textOf(value))))
  for (const secret of [state, nonce, binding]) expect(stored.join('\n')).not.toContain(secret)
})

function textOf(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString('latin1') : String(value)
}
