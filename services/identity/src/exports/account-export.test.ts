import { silentLogger } from '@tapeline/testing/silent-logger'
import { testServers } from '@tapeline/testing/test-servers'
import { waitUntil } from '@tapeline/testing/wait-until'
import { afterAll, expect, test } from 'vitest'
import { requestDeletion } from '../account-deletion/request-deletion.ts'
import { deliveries } from '../deliveries/deliveries.ts'
import { changeEmail } from '../email/change-email.ts'
import { confirmEmailChange } from '../email/confirm-email-change.ts'
import { sendMail } from '../mail/send-mail.ts'
import { changePassword } from '../passwords/change-password.ts'
import { forgotPassword } from '../passwords/forgot-password.ts'
import { resetPassword } from '../passwords/reset-password.ts'
import { changeUser } from '../users/change-user.ts'
import { GOOD_PASSWORD } from '../../test/deps.fixture.ts'
import { testIdentity } from '../../test/identity.fixture.ts'
import { testMails } from '../../test/mails.fixture.ts'
import { someProfile } from '../../test/notice-deps.fixture.ts'
import { startDeliveryQueue } from '@tapeline/service/outbound/delivery-queue'
import { buildExport } from './build-export.ts'
import { deleteOldExports } from './delete-old-exports.ts'
import { openExport } from './open-export.ts'
import { requestExport } from './request-export.ts'
import { showExport } from './show-export.ts'

const { db, deps, clock, anonymous, newPerson, eventsOf, mailsTo, close } = await testIdentity()
afterAll(close)
const { deliver, tokenFor } = testMails(deps)

const HOUR_MS = 3_600_000
const { lifeMs } = deps.exports
const notFound = { code: 'account_export.not_found', status: 404 }
type Person = Awaited<ReturnType<typeof newPerson>>
const openAs = ({ actor }: Person) => openExport(deps, actor, { by: 'session', userId: actor.userId })
const openWith = (token: string) => openExport(deps, anonymous, { by: 'link', token })

async function built(person: Person): Promise<string> {
  const { id } = await requestExport(deps, person.actor)
  expect(await buildExport(deps, id)).toBe('built')
  return id
}

test('one file contains the data of every service, and can be opened in the session and with the mailed link', async () => {
  const person = await newPerson()
  const requested = await requestExport(deps, person.actor)
  expect(requested).toMatchObject({ state: 'running', ready_at: null, expires_at: null })
  const withProfile = { ...deps, fetchProfile: async () => someProfile({ language: 'fr' }, 'Europe/Paris') }
  expect(await buildExport(withProfile, requested.id)).toBe('built')
  expect(await showExport(deps, person.actor)).toMatchObject({
    state: 'ready',
    expires_at: new Date(clock.nowMs + lifeMs).toISOString(),
  })
  const file = await openAs(person)
  expect(file).toMatchObject({
    format: 'tapeline-account/1',
    profile: { id: person.actor.userId, email: person.email, first_name: 'Grace' },
    sessions: [{ id: person.actor.sessionId }],
    known_devices: [{ device: expect.any(String), network: '203.0.113.0/24', last_used_at: deps.now().toISOString() }],
    api_keys: [],
    subscription: { tier: 'free' },
    settings: '{"language":"fr"}',
    usage: { total: 0, to: deps.now().toISOString() },
  })
  expect(await openWith(await tokenFor(person.email, 'export'))).toEqual(file)
  const opened = (await eventsOf(person.actor.userId)).filter(({ type }) => type.includes('account-export'))
  expect(opened.map(({ type, data }) => [type, data])).toEqual([
    ['identity.account-export-requested.v1', { user_id: person.actor.userId, export_id: requested.id }],
    ['identity.account-export-opened.v1', { user_id: person.actor.userId, export_id: requested.id, by: 'session' }],
    ['identity.account-export-opened.v1', { user_id: person.actor.userId, export_id: requested.id, by: 'link' }],
  ])
})

test('neither file nor table contains a secret', async () => {
  const person = await newPerson()
  await built(person)
  const file = JSON.stringify(await openAs(person))
  const user = await db
    .selectFrom('user_account')
    .select('password_hash')
    .where('id', '=', person.actor.userId)
    .executeTakeFirstOrThrow()
  for (const secret of [user.password_hash ?? '$argon2', person.refreshToken, '$argon2', 'hash']) {
    expect(file).not.toContain(secret)
  }
  const rows = await db.selectFrom('account_export').selectAll().execute()
  expect(rows.map(({ sealed_content }) => sealed_content?.toString('latin1')).join()).not.toContain(person.email)
  const token = await tokenFor(person.email, 'export')
  expect(JSON.stringify(await db.selectFrom('account_export').selectAll().execute())).not.toContain(token)
})

test('one export is built at a time, also under concurrent requests, and the next one after a pause', async () => {
  const person = await newPerson()
  const [one, other] = await Promise.all([requestExport(deps, person.actor), requestExport(deps, person.actor)])
  expect(one.id).toBe(other.id)
  await buildExport(deps, one.id)
  clock.nowMs += HOUR_MS - 1_000
  const tooSoon = { code: 'account_export.too_soon', status: 429, headers: { 'retry-after': '1' } }
  await expect(requestExport(deps, person.actor)).rejects.toMatchObject(tooSoon)
  clock.nowMs += 1_000
  expect((await requestExport(deps, person.actor)).id).not.toBe(one.id)
})

test('a service that does not respond is called again, and a repeated build yields one file and one mail', async () => {
  const person = await newPerson()
  const { id } = await requestExport(deps, person.actor)
  const unavailable = { ...deps, fetchKeys: () => Promise.reject(new Error('api-key is unavailable')) }
  await expect(buildExport(unavailable, id)).rejects.toThrow('unavailable')
  expect(await showExport(deps, person.actor)).toMatchObject({ state: 'running' })
  const outcomes = await Promise.all([buildExport(deps, id), buildExport(deps, id)])
  expect(outcomes.toSorted()).toEqual(['built', 'done before'])
  expect((await mailsTo(person.email)).map(({ kind }) => kind)).toEqual(['export-ready'])
})

test('the queues of two processes build an export once, also after a failure', async () => {
  const person = await newPerson()
  const { id } = await requestExport(deps, person.actor)
  let isFirst = true
  const delivery = deliveries(deps, { send: async () => {}, post: async () => ({ is: 'taken' }) })['exports']
  if (delivery === undefined) throw new Error('there is no such delivery')
  const failingOnce = {
    ...delivery,
    retry: { attempts: 5, backoff: { type: 'fixed' as const, delay: 50 } },
    deliver: async (exportId: string) => {
      if (isFirst) {
        isFirst = false
        throw new Error('the process is killed while it builds')
      }
      return delivery.deliver(exportId)
    },
  }
  const options = { redisUrl: testServers().redisUrl, name: `exports-${crypto.randomUUID()}`, logger: silentLogger }
  const queues = [startDeliveryQueue(failingOnce, options), startDeliveryQueue(failingOnce, options)]
  await waitUntil('the export is ready', async () => (await showExport(deps, person.actor)).state === 'ready', 60_000)
  await Promise.all(queues.map((queue) => queue.stop()))
  expect(isFirst).toBe(false)
  expect((await showExport(deps, person.actor)).id).toBe(id)
  expect(await mailsTo(person.email)).toHaveLength(1)
})

test('another user’s export, a missing one and an expired one are the same 404', async () => {
  const [person, other] = [await newPerson(), await newPerson()]
  await built(person)
  const token = await tokenFor(person.email, 'export')
  await expect(openAs(other)).rejects.toMatchObject(notFound)
  await expect(showExport(deps, other.actor)).rejects.toMatchObject(notFound)
  await expect(openWith('A'.repeat(43))).rejects.toMatchObject(notFound)
  clock.nowMs += lifeMs
  await expect(openAs(person)).rejects.toMatchObject(notFound)
  await expect(openWith(token)).rejects.toMatchObject(notFound)
  await deleteOldExports(deps)
  const rows = await db.selectFrom('account_export').selectAll().where('user_id', '=', person.actor.userId).execute()
  expect(rows).toEqual([])
})

test('an export that could not be built is reported as failed, and another can be requested immediately', async () => {
  const person = await newPerson()
  const { id } = await requestExport(deps, person.actor)
  await deliveries(deps, { send: async () => {}, post: async () => ({ is: 'taken' }) })['exports']?.abandon?.(
    id,
    'unavailable',
  )
  expect(await showExport(deps, person.actor)).toMatchObject({ id, state: 'failed' })
  expect(await buildExport(deps, id)).toBe('done before')
  expect((await requestExport(deps, person.actor)).id).not.toBe(id)
  expect(await deliver(person.email)).toHaveLength(1)
})

test('the link keeps working after a deletion request', async () => {
  const person = await newPerson()
  await built(person)
  await requestDeletion(deps, person.actor, { currentPassword: GOOD_PASSWORD })
  expect(await openWith(await tokenFor(person.email, 'export'))).toMatchObject({ profile: { email: person.email } })
})

const NEW_PASSWORD = 'Another horse, battery 2'
const operator = { kind: 'service', service: 'operator' } as const
const changeAddress = async ({ actor }: Person) => {
  const newEmail = `${crypto.randomUUID()}@example.com`
  await changeEmail(deps, actor, { newEmail, currentPassword: GOOD_PASSWORD })
  await confirmEmailChange(deps, anonymous, { token: await tokenFor(newEmail, 'confirm-email') })
  return newEmail
}

test.each([
  ['a change of the address', changeAddress],
  [
    'a new password',
    ({ actor }: Person) => changePassword(deps, actor, { currentPassword: GOOD_PASSWORD, newPassword: NEW_PASSWORD }),
  ],
  [
    'a password reset',
    async ({ email }: Person) => {
      await forgotPassword(deps, { email })
      const token = await tokenFor(email, 'reset-password')
      await resetPassword(deps, anonymous, { token, newPassword: NEW_PASSWORD })
    },
  ],
])('%s invalidates the mailed link; the session still opens the export', async (_, change) => {
  const person = await newPerson()
  await built(person)
  const token = await tokenFor(person.email, 'export')
  await change(person)
  await expect(openWith(token)).rejects.toMatchObject(notFound)
  expect(await openAs(person)).toMatchObject({ profile: { email: person.email } })
})

test('the link does not open the export of a deactivated account', async () => {
  const person = await newPerson()
  await built(person)
  const token = await tokenFor(person.email, 'export')
  await changeUser(deps, operator, { userId: person.actor.userId, status: 'inactive' })
  await expect(openWith(token)).rejects.toMatchObject(notFound)
})

test('an export mail that is sent after a change of the address creates no link', async () => {
  const person = await newPerson()
  await built(person)
  const [mail] = await mailsTo(person.email)
  const newEmail = `${crypto.randomUUID()}@example.com`
  const address = { email: newEmail, email_canonical: newEmail }
  await db.updateTable('user_account').set(address).where('id', '=', person.actor.userId).execute()
  expect(await sendMail(deps, async () => undefined, mail?.id ?? '')).toBe('no recipient')
})
