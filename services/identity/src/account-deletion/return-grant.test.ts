import type { TokenAnswer } from '@tapeline/testing/pages/identity-provider'
import { afterAll, afterEach, expect, test } from 'vitest'
import { deliveries } from '../deliveries/deliveries.ts'
import { GOOD_PASSWORD } from '../../test/deps.fixture.ts'
import { confirmLink } from '../oauth/confirm-link.ts'
import { testOauth, someEmail } from '../../test/oauth.fixture.ts'
import { deleteAccounts } from './delete-accounts.ts'
import { requestDeletion } from './request-deletion.ts'

const {
  db,
  deps,
  clock,
  anonymous,
  newPerson,
  eventsOf,
  visitProvider,
  signInByProvider,
  connectWithPassword,
  finish,
  provider,
  close,
} = await testOauth()
afterAll(close)
afterEach(() => {
  provider.tamper(undefined)
  provider.setUnavailable(false)
})

const WEEK_MS = 7 * 86_400_000
const unused = () => Promise.reject(new Error('nothing is sent here'))
const { grants } = deliveries(deps, { send: unused, post: unused })
if (grants === undefined) throw new Error('there is no queue of grants')
const waiting = () => grants.listWaiting(10, undefined)

/** Creates a deleted account that was connected to Google, and returns the granted token. */
async function deletedAccount(): Promise<string> {
  const { actor } = await newPerson()
  const answers: TokenAnswer[] = []
  provider.tamper((answer) => {
    answers.push(answer)
    return answer
  })
  const { signedIn } = await connectWithPassword({ email: someEmail() }, actor)
  const session = { ...actor, sessionId: signedIn.sessionId }
  await requestDeletion(deps, session, { currentPassword: GOOD_PASSWORD })
  clock.nowMs += WEEK_MS
  expect(await deleteAccounts(deps)).toBe(1)
  return answers[0]?.access_token ?? ''
}

test('the grant of a deleted account is revoked at the provider, also after an outage', async () => {
  const accessToken = await deletedAccount()
  expect(await deps.provider.subjectOf(accessToken)).toBeDefined()
  const [id = ''] = await waiting()
  provider.setUnavailable(true)
  await expect(grants.deliver(id)).rejects.toMatchObject({ code: 'oauth.provider_away' })
  provider.setUnavailable(false)
  expect(await waiting()).toEqual([id])
  expect([await grants.deliver(id), await grants.deliver(id)]).toEqual(['revoked', 'done before'])
  expect(await deps.provider.subjectOf(accessToken)).toBeUndefined()
  expect(await waiting()).toEqual([])
})

test('a grant that cannot be revoked is dropped, and an unreadable token does not block the deletion', async () => {
  await deletedAccount()
  const [id = ''] = await waiting()
  await grants.abandon?.(id, 'the provider is gone')
  expect(await waiting()).toEqual([])

  const { id: userId } = (await signInByProvider({ email: someEmail() })).signedIn.user
  await db
    .updateTable('provider_identity')
    .set({ sealed_token: Buffer.from('of another secret') })
    .where('user_id', '=', userId)
    .execute()
  const due = { status: 'inactive' as const, deletion_due_at: deps.now() }
  await db.updateTable('user_account').set(due).where('id', '=', userId).execute()
  expect(await deleteAccounts(deps)).toBe(1)
  expect(await waiting()).toEqual([])
})

test('confirming Google with the password of an account that awaits deletion restores it', async () => {
  const { actor, email } = await newPerson()
  await requestDeletion(deps, actor, { currentPassword: GOOD_PASSWORD })
  const { state, binding, code } = await visitProvider({ email })
  await expect(finish({ code, state, binding })).rejects.toMatchObject({ code: 'oauth.password_needed' })
  const { signedIn } = await confirmLink(deps, anonymous, { state, binding, password: GOOD_PASSWORD })
  expect(signedIn.user).toMatchObject({ id: actor.userId, status: 'active' })
  expect((await eventsOf(actor.userId)).map(({ type }) => type)).toContain('identity.account-deletion-cancelled.v1')
  clock.nowMs += WEEK_MS
  expect(await deleteAccounts(deps)).toBe(0)
  expect((await signInByProvider({ email })).signedIn.user.id).toBe(actor.userId)
})
