import { afterAll, afterEach, expect, test } from 'vitest'
import type { TokenAnswer } from '@tapeline/testing/pages/identity-provider'
import { disconnectProvider } from './disconnect-provider.ts'
import { testOauth, someEmail } from '../../test/oauth.fixture.ts'
import { someUser } from '@tapeline/testing/actors'

const { deps, newPerson, eventsOf, mailsTo, signInByProvider, connectWithPassword, provider, close } = await testOauth()
afterAll(close)
afterEach(() => provider.tamper(undefined))

/** A user with a password who has connected Google, and the granted token. */
async function connectedPerson() {
  const { actor, email: ownEmail } = await newPerson()
  const email = someEmail()
  const answers: TokenAnswer[] = []
  provider.tamper((answer) => {
    answers.push(answer)
    return answer
  })
  const { signedIn } = await connectWithPassword({ email }, actor)
  const accessToken = answers[0]?.access_token ?? ''
  return { email, ownEmail, accessToken, actor: { ...actor, sessionId: signedIn.sessionId } }
}

test('disconnecting revokes the grant at the provider, deletes the link and publishes it', async () => {
  const { actor, accessToken, email, ownEmail } = await connectedPerson()
  expect(await deps.provider.subjectOf(accessToken)).toBeDefined()
  await disconnectProvider(deps, actor, { accessToken })
  expect(await deps.provider.subjectOf(accessToken)).toBeUndefined()
  expect((await eventsOf(actor.userId)).at(-1)?.type).toBe('identity.provider-unlinked.v1')
  expect((await mailsTo(ownEmail)).at(-1)).toMatchObject({ kind: 'provider-unlinked', user_id: actor.userId })
  await expect(disconnectProvider(deps, actor, {})).rejects.toMatchObject({ code: 'oauth.not_connected' })
  const next = await signInByProvider({ email })
  expect(next.signedIn.user.id).not.toBe(actor.userId)
})

test('another user’s token, an invalid one and a made-up one are rejected, and the link stays', async () => {
  const [mine, theirs] = [await connectedPerson(), await connectedPerson()]
  const foreign = { code: 'oauth.foreign_token', status: 403 }
  for (const accessToken of [theirs.accessToken, 'made-up']) {
    await expect(disconnectProvider(deps, mine.actor, { accessToken })).rejects.toMatchObject(foreign)
  }
  await disconnectProvider(deps, theirs.actor, {})
  await expect(disconnectProvider(deps, mine.actor, { accessToken: theirs.accessToken })).rejects.toMatchObject(foreign)
  await disconnectProvider(deps, mine.actor, { accessToken: mine.accessToken })
})

test('the last sign-in method cannot be removed', async () => {
  const { signedIn } = await signInByProvider({ email: someEmail() })
  const actor = { ...someUser({ userId: signedIn.user.id }), sessionId: signedIn.sessionId }
  await expect(disconnectProvider(deps, actor, {})).rejects.toMatchObject({ code: 'oauth.last_sign_in', status: 409 })
})

test('the link stays when its grant cannot be revoked', async () => {
  const { actor, accessToken } = await connectedPerson()
  provider.setUnavailable(true)
  await expect(disconnectProvider(deps, actor, {})).rejects.toMatchObject({ code: 'oauth.provider_away' })
  provider.setUnavailable(false)
  await disconnectProvider(deps, actor, {})
  expect(await deps.provider.subjectOf(accessToken)).toBeUndefined()
})
