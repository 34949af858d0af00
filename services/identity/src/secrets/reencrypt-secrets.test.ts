import { encrypt, type Secrets } from '@tapeline/service/encryption'
import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { testIdentity } from '../../test/identity.fixture.ts'
import { insertGrant } from '../grants/grant-queries.ts'
import { GRANT_PURPOSE } from '../grants/record-grant.ts'
import { decryptToken, encryptToken } from '../grants/store-token.ts'
import { insertIdentity } from '../oauth/oauth-queries.ts'
import { decryptSubscription, encryptSubscription } from '../push/encrypted-subscription.ts'
import { upsertSubscription } from '../push/push-queries.ts'
import { createVapidKeys } from '../push/vapid-keys.ts'
import { reencryptSecrets } from './reencrypt-secrets.ts'

const { db, deps, newPerson, close } = await testIdentity()
afterAll(close)
beforeEach(async () => {
  for (const table of ['vapid_key', 'push_subscription', 'provider_identity', 'grant_to_revoke'] as const) {
    await db.deleteFrom(table).execute()
  }
})

const OLD = 'an older secret of the test, as long as the other'
const NEW = 'the newest secret of the test, as long as the other'
const both: Secrets = [NEW, OLD]
const now = () => new Date()
const endpoint = { endpoint: 'https://push.example/7', keys: { p256dh: 'p'.repeat(87), auth: 'a'.repeat(22) } }
const vapidKeys = (secret: Secrets) => createVapidKeys({ db, now, secret, configured: undefined })()

/** A subscription, a connected Google account and the grant of a deleted account, encrypted with this secret. */
async function store(secret: string) {
  const { actor } = await newPerson()
  const claim = {
    issuer: 'https://provider.test',
    subject: randomUUIDv7(),
    email: null,
    isEmailVerified: false,
    firstName: 'Olga',
    lastName: '',
    token: 'a refresh token',
    isTokenLasting: true,
  }
  await db.transaction().execute(async (trx) => {
    await upsertSubscription(trx, {
      id: randomUUIDv7(),
      user_id: actor.userId,
      session_id: actor.sessionId ?? '',
      endpoint_hash: randomBytes(32),
      sealed_subscription: encryptSubscription(secret, endpoint),
      created_at: now(),
    })
    const { issuer, subject } = claim
    const sealed_token = encryptToken({ secret }, claim)
    await insertIdentity(trx, { issuer, subject, user_id: actor.userId, sealed_token, linked_at: now() })
    const grant = encrypt({ secret, purpose: GRANT_PURPOSE }, 'a grant')
    await insertGrant(trx, { id: randomUUIDv7(), sealed_token: grant, created_at: now() })
  })
}

test('what is kept for long is encrypted again with the newest secret, so that the older one can be removed', async () => {
  const keys = await vapidKeys(OLD)
  await store(OLD)
  await store(OLD)
  await store(NEW)
  expect(await reencryptSecrets({ ...deps, secret: OLD })).toEqual({ changed: 0, unreadable: 0 })
  expect(await reencryptSecrets({ ...deps, secret: both })).toEqual({ changed: 7, unreadable: 0 })
  expect(await vapidKeys(NEW)).toEqual(keys)
  const subscriptions = await db.selectFrom('push_subscription').selectAll().execute()
  const read = subscriptions.map(({ sealed_subscription: sealed }) => decryptSubscription(NEW, sealed))
  expect(read).toEqual([endpoint, endpoint, endpoint])
  const identities = await db.selectFrom('provider_identity').selectAll().execute()
  const tokens = identities.map((identity) => decryptToken({ secret: NEW }, identity))
  expect(tokens).toEqual(Array(3).fill('a refresh token'))
  expect(await reencryptSecrets({ ...deps, secret: both })).toEqual({ changed: 0, unreadable: 0 })
})

test('what no secret decrypts is reported and kept, and the rest is encrypted again', async () => {
  await store('a lost secret of the test, as long as the other')
  const lost = await db.selectFrom('provider_identity').selectAll().execute()
  await store(OLD)
  expect(await reencryptSecrets({ ...deps, secret: both })).toEqual({ changed: 3, unreadable: 3 })
  expect(await db.selectFrom('provider_identity').selectAll().execute()).toEqual(expect.arrayContaining(lost))
})
