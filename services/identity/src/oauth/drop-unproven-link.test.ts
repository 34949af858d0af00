import { afterAll, expect, test } from 'vitest'
import { revokeGrant } from './revoke-grant.ts'
import { hashLinkToken } from '../mail/link-token.ts'
import { resetPassword } from '../passwords/reset-password.ts'
import { oauthUnderTest, someEmail } from './oauth-under-test.ts'

const { db, deps, anonymous, newPerson, verify, eventsOf, comeIn, connectWithPassword, close } = await oauthUnderTest()
afterAll(close)

/** By whoever reads the mails of the address. */
async function reset(userId: string): Promise<void> {
  const token = crypto.randomUUID()
  const expires_at = new Date(deps.now().getTime() + 60_000)
  const row = { user_id: userId, hash: hashLinkToken(token), expires_at, created_at: deps.now() }
  await db.insertInto('password_reset').values(row).execute()
  await resetPassword(deps, anonymous, { token, newPassword: 'Another horse, battery 2' })
}

const grants = () => db.selectFrom('grant_to_revoke').select('id').execute()

test('the Google account of who signed up with a foreign address is out once its owner resets the password', async () => {
  const { actor } = await newPerson()
  const email = someEmail()
  await connectWithPassword({ email }, actor)
  await reset(actor.userId)
  expect((await comeIn({ email })).signedIn.user.id).not.toBe(actor.userId)
  expect((await eventsOf(actor.userId)).map(({ type }) => type)).toContain('identity.provider-unlinked.v1')
  const [grant] = await grants()
  expect(await revokeGrant(deps, grant?.id ?? '')).toBe('revoked')
})

test('an address that was proven before keeps its Google account', async () => {
  const { actor } = await newPerson()
  await verify(actor.userId)
  const email = someEmail()
  await connectWithPassword({ email }, actor)
  await reset(actor.userId)
  expect((await comeIn({ email })).signedIn.user.id).toBe(actor.userId)
  expect(await grants()).toEqual([])
})
