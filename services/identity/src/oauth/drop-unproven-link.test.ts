import { afterAll, expect, test } from 'vitest'
import { GOOD_PASSWORD } from '../../test/deps.fixture.ts'
import { changeEmail } from '../email/change-email.ts'
import { confirmEmailChange } from '../email/confirm-email-change.ts'
import { verifyEmail } from '../email/verify-email.ts'
import { testMails } from '../../test/mails.fixture.ts'
import { revokeGrant } from '../grants/revoke-grant.ts'
import { hashLinkToken } from '../mail/link-token.ts'
import { resetPassword } from '../passwords/reset-password.ts'
import { testOauth, someEmail } from '../../test/oauth.fixture.ts'

const { db, deps, anonymous, newPerson, verify, eventsOf, signInByProvider, connectWithPassword, close } =
  await testOauth()
afterAll(close)
const { tokenFor } = testMails(deps)

/** Resets the password through the mail to the address. */
async function reset(userId: string): Promise<void> {
  const token = crypto.randomUUID()
  const expires_at = new Date(deps.now().getTime() + 60_000)
  const row = { user_id: userId, hash: hashLinkToken(token), expires_at, created_at: deps.now() }
  await db.insertInto('password_reset').values(row).execute()
  await resetPassword(deps, anonymous, { token, newPassword: 'Another horse, battery 2' })
}

const grants = () => db.selectFrom('grant_to_revoke').select('id').execute()

test('a Google account linked before the address was verified is unlinked when its owner resets the password', async () => {
  const { actor } = await newPerson()
  const email = someEmail()
  await connectWithPassword({ email }, actor)
  await reset(actor.userId)
  expect((await signInByProvider({ email })).signedIn.user.id).not.toBe(actor.userId)
  expect((await eventsOf(actor.userId)).map(({ type }) => type)).toContain('identity.provider-unlinked.v1')
  const [grant] = await grants()
  expect(await revokeGrant(deps, grant?.id ?? '')).toBe('revoked')
})

test('it is unlinked when the owner verifies the address', async () => {
  const { actor, email: address } = await newPerson()
  const email = someEmail()
  await connectWithPassword({ email }, actor)
  await verifyEmail(deps, anonymous, { token: await tokenFor(address, 'verify-email') })
  expect((await signInByProvider({ email })).signedIn.user.id).not.toBe(actor.userId)
  const types = (await eventsOf(actor.userId)).map(({ type }) => type)
  expect(types.slice(-2)).toEqual(['identity.provider-unlinked.v1', 'identity.email-verified.v1'])
})

test('it is unlinked when the owner confirms a new address of an account with an unverified one', async () => {
  const { actor } = await newPerson()
  const [email, newEmail] = [someEmail(), someEmail()]
  const { signedIn } = await connectWithPassword({ email }, actor)
  const caller = { ...actor, sessionId: signedIn.sessionId }
  await changeEmail(deps, caller, { newEmail, currentPassword: GOOD_PASSWORD })
  await confirmEmailChange(deps, anonymous, { token: await tokenFor(newEmail, 'confirm-email') })
  expect((await signInByProvider({ email })).signedIn.user.id).not.toBe(actor.userId)
})

test('a link whose Google address is the account’s own verifies it and stays', async () => {
  const { actor, email } = await newPerson()
  const link = await tokenFor(email, 'verify-email')
  const { signedIn } = await connectWithPassword({ email }, actor)
  expect(signedIn.user.email_verified).toBe(true)
  await verifyEmail(deps, anonymous, { token: link })
  expect((await signInByProvider({ email })).signedIn.user.id).toBe(actor.userId)
  const types = (await eventsOf(actor.userId)).map(({ type }) => type)
  expect(types.filter((type) => type === 'identity.email-verified.v1')).toHaveLength(1)
  expect(types).not.toContain('identity.provider-unlinked.v1')
})

test('a link made after the address was verified stays', async () => {
  const before = await grants()
  const { actor } = await newPerson()
  await verify(actor.userId)
  const email = someEmail()
  await connectWithPassword({ email }, actor)
  await reset(actor.userId)
  expect((await signInByProvider({ email })).signedIn.user.id).toBe(actor.userId)
  expect((await grants()).length).toBe(before.length)
})
