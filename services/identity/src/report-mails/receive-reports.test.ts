import { reportMade } from '@tapeline/contracts/audit/events'
import { newEvent } from '@tapeline/contracts/event'
import { deliverTwice } from '@tapeline/testing/kafka/deliver-twice'
import { afterAll, expect, test } from 'vitest'
import { testIdentity } from '../../test/identity.fixture.ts'
import { testMails } from '../../test/mails.fixture.ts'
import { renderLetter } from '../mail/render-letter.ts'
import { subscriptions } from '../subscriptions.ts'
import { reportLetter } from './report-letter.ts'

const { db, deps, newPerson, provenPerson, close } = await testIdentity()
const { deliver } = testMails(deps)
afterAll(close)

const CSV = 'from,to,total\r\n2026-03-02T08:00:00.000+00:00,2026-03-09T08:00:00.000+00:00,1234\r\n'
const REPORT = {
  name: 'Errors <b>',
  from: '2026-03-02T08:00:00.000-05:00',
  to: '2026-03-09T08:00:00.000-04:00',
  total: 1_234_567,
  file_name: 'tapeline-report-2026-03-09.csv',
  content_type: 'text/csv; charset=utf-8',
  file: Buffer.from(CSV).toString('base64'),
}

/** The event, delivered twice. */
async function receive(userId: string): Promise<void> {
  const about = { id: deps.newId(), time: deps.now(), subject: deps.newId(), account: userId }
  const data = { report_id: about.subject, account_id: userId, ...REPORT }
  const event = newEvent(reportMade, { ...about, actor: { kind: 'service', service: 'audit' }, data })
  await deliverTwice(db, subscriptions(deps), event)
}
const reportsTo = async (email: string) =>
  (await deliver(email)).filter(({ attachments = [] }) => attachments.length > 0)

test('a report delivered twice is mailed once, with the file', async () => {
  const { actor, email } = await provenPerson()
  await receive(actor.userId)
  const [mail, ...others] = await reportsTo(email)
  expect(others).toEqual([])
  expect(mail).toMatchObject({
    to: email,
    subject: 'Report “Errors <b>”',
    attachments: [{ name: REPORT.file_name, contentType: 'text/csv; charset=utf-8', content: Buffer.from(CSV) }],
  })
  expect(mail?.text).toContain('from March 2, 2026 to March 9, 2026: 1,234,567')
  expect(mail?.text).toContain('/dashboard/reports')
  expect(mail?.html).not.toContain('<b>')
})

test('no report goes to an unverified address, a deactivated account or a deleted one', async () => {
  const [unverified, inactive] = [await newPerson(), await provenPerson()]
  await db.updateTable('user_account').set({ status: 'inactive' }).where('id', '=', inactive.actor.userId).execute()
  for (const userId of [unverified.actor.userId, inactive.actor.userId, crypto.randomUUID()]) await receive(userId)
  expect([...(await reportsTo(unverified.email)), ...(await reportsTo(inactive.email))]).toEqual([])
})

test('the letter is written in every language', () => {
  const letters = reportLetter({ ...REPORT, webOrigin: 'https://tapeline.test' })
  expect(renderLetter(letters.es, 'es').text).toContain('del 2 de marzo de 2026 al 9 de marzo de 2026: 1.234.567')
  expect(renderLetter(letters.fr, 'fr').text).toContain('du 2 mars 2026 au 9 mars 2026')
  for (const { action } of Object.values(letters)) expect(action?.url).toBe('https://tapeline.test/dashboard/reports')
})
